// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "kernel/launch/function_parameters.h"

#include "analysis/kept_functions.h"
#include "kernel/launch/launch_abi.h"
#include "kernel/launch/program_variables.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace lanecl::vectorizer {

// Returns a copy of the function that has the kernel's parameters before its own; the body moves there.
static Function *withLaunch(Function &old) {
  FunctionType *launch = lanesFunctionType(old.getContext());
  SmallVector<Type *> parameters(launch->params());
  append_range(parameters, old.getFunctionType()->params());
  Function *extended = Function::Create(FunctionType::get(old.getReturnType(), parameters, false), old.getLinkage(), "",
                                        old.getParent());
  extended->takeName(&old);
  extended->setAttributes(AttributeList::get(old.getContext(), old.getAttributes().getFnAttrs(), AttributeSet(), {}));
  extended->copyMetadata(&old, 0);
  old.setSubprogram(nullptr);
  // The debug information and the body move, so they are not copied.
  extended->splice(extended->begin(), &old);
  for (Argument &argument : old.args()) {
    Argument *moved = extended->getArg(kLanesParameterCount + argument.getArgNo());
    moved->takeName(&argument);
    argument.replaceAllUsesWith(moved);
  }
  describeLanesParameters(*extended);
  return extended;
}

// Passes the launch on in a call. The caller must have the parameters already.
static void passLaunch(CallBase &call, Function &callee) {
  SmallVector<Value *> arguments;
  for (unsigned i = 0; i < kLanesParameterCount; ++i)
    arguments.push_back(call.getFunction()->getArg(i));
  append_range(arguments, call.args());
  IRBuilder<> builder(&call);
  CallInst *extended = builder.CreateCall(&callee, arguments);
  extended->copyMetadata(call);
  if (isa<FPMathOperator>(call) && isa<FPMathOperator>(extended))
    extended->copyFastMathFlags(&call);
  extended->takeName(&call);
  call.replaceAllUsesWith(extended);
  call.eraseFromParent();
}

PreservedAnalyses FunctionParametersPass::run(Module &module, ModuleAnalysisManager &analyses) {
  auto &manager = analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
  SmallVector<Function *> kept;
  for (Function &function : module)
    if (isKept(function))
      kept.push_back(&function);
  SmallVector<std::pair<Function *, Function *>> changed;
  for (Function *function : kept) {
    manager.clear(*function, function->getName());
    changed.emplace_back(function, withLaunch(*function));
  }
  for (const auto &[old, extended] : changed) {
    for (User *user : make_early_inc_range(old->users()))
      passLaunch(*cast<CallBase>(user), *extended);
    placeProgramVariables(*extended, context);
  }
  for (const auto &[old, extended] : changed)
    old->eraseFromParent();
  return changed.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

} // namespace lanecl::vectorizer
