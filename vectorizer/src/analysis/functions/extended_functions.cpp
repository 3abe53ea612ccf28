// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/functions/extended_functions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

#include <cassert>

using namespace llvm;

namespace lanecl::vectorizer {

static FunctionType *extendedType(const Function &old, const Extension &extension) {
  SmallVector<Type *> parameters(extension.before);
  append_range(parameters, old.getFunctionType()->params());
  append_range(parameters, extension.behind);
  return FunctionType::get(extension.result != nullptr ? extension.result : old.getReturnType(), parameters, false);
}

static AttributeList extendedAttributes(const Function &old, const Extension &extension) {
  SmallVector<AttributeSet> parameters(extension.before.size());
  for (unsigned i = 0; i < old.arg_size(); ++i)
    parameters.push_back(old.getAttributes().getParamAttrs(i));
  return AttributeList::get(old.getContext(), old.getAttributes().getFnAttrs(), AttributeSet(), parameters);
}

Function *extendFunction(Function &old, const Extension &extension) {
  assert(!old.isDeclaration() && !old.isVarArg() && "the body moves");
  Function *extended = Function::Create(extendedType(old, extension), old.getLinkage(), "", old.getParent());
  extended->takeName(&old);
  extended->setAttributes(extendedAttributes(old, extension));
  extended->copyMetadata(&old, 0);
  old.setSubprogram(nullptr);
  extended->splice(extended->begin(), &old);
  for (Argument &argument : old.args()) {
    Argument *moved = extended->getArg(static_cast<unsigned>(extension.before.size()) + argument.getArgNo());
    moved->takeName(&argument);
    argument.replaceAllUsesWith(moved);
  }
  return extended;
}

CallInst *extendCall(CallBase &call, Function &extended, ArrayRef<Value *> before, ArrayRef<Value *> behind) {
  SmallVector<Value *> arguments(before);
  append_range(arguments, call.args());
  append_range(arguments, behind);
  assert(arguments.size() == extended.arg_size() && "an argument for each parameter");
  IRBuilder<> builder(&call);
  CallInst *made = builder.CreateCall(&extended, arguments);
  made->copyMetadata(call);
  if (isa<FPMathOperator>(call) && isa<FPMathOperator>(made))
    made->copyFastMathFlags(&call);
  made->takeName(&call);
  return made;
}

} // namespace lanecl::vectorizer
