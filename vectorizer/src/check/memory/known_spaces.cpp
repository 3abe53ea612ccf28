// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "check/memory/known_spaces.h"

#include "analysis/functions/kept_functions.h"
#include "analysis/lane_target.h"
#include "analysis/memory/call_order.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <map>

using namespace llvm;

namespace lanecl::vectorizer {
namespace {

// An entry for each parameter: the known address space of a generic pointer, kGeneric if it is not known, and kOther
// for all other parameters.
using Spaces = std::vector<unsigned>;
constexpr unsigned kOther = ~0u;

bool isGeneric(const Type &type) {
  return type.isPointerTy() && type.getPointerAddressSpace() == kGeneric;
}

// Returns the address space of all objects that a pointer may point to; kGeneric if they differ.
unsigned spaceOf(const Value &pointer) {
  SmallVector<const Value *, 4> objects;
  getUnderlyingObjects(&pointer, objects, nullptr, /*MaxLookup=*/0);
  const unsigned space = objects[0]->getType()->getPointerAddressSpace();
  const auto isThere = [&](const Value *object) { return object->getType()->getPointerAddressSpace() == space; };
  return all_of(objects, isThere) ? space : unsigned(kGeneric);
}

Spaces spacesOf(const CallBase &call) {
  Spaces spaces;
  for (const Value *argument : call.args())
    spaces.push_back(isGeneric(*argument->getType()) ? spaceOf(*argument) : kOther);
  return spaces;
}

bool knowsAny(const Spaces &spaces) {
  return any_of(spaces, [](unsigned space) { return space != kOther && space != kGeneric; });
}

FunctionType *typeWith(const Function &function, const Spaces &spaces) {
  SmallVector<Type *> parameters;
  for (const Argument &argument : function.args()) {
    const unsigned space = spaces[argument.getArgNo()];
    parameters.push_back(space == kOther ? argument.getType() : PointerType::get(function.getContext(), space));
  }
  return FunctionType::get(function.getReturnType(), parameters, false);
}

// Makes a version of a function. Its body still uses generic pointers, which optimizations trace back to the
// parameters.
Function &specialize(Function &function, const Spaces &spaces) {
  ValueToValueMapTy values;
  Function *copy = CloneFunction(&function, values);
  Function *made =
      Function::Create(typeWith(function, spaces), copy->getLinkage(), function.getName(), function.getParent());
  made->setAttributes(copy->getAttributes());
  made->copyMetadata(copy, 0);
  copy->setSubprogram(nullptr);
  made->splice(made->begin(), copy);
  BasicBlock &entry = made->getEntryBlock();
  IRBuilder<> b(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
  b.SetCurrentDebugLocation({});
  for (Argument &argument : copy->args()) {
    Argument *moved = made->getArg(argument.getArgNo());
    moved->takeName(&argument);
    argument.replaceAllUsesWith(b.CreateAddrSpaceCast(moved, argument.getType()));
  }
  copy->eraseFromParent();
  return *made;
}

// Replaces a call by a call of the version.
void callVersion(CallBase &call, Function &version) {
  IRBuilder<> b(&call);
  SmallVector<Value *> arguments;
  for (const auto &[parameter, argument] : zip(version.args(), call.args()))
    arguments.push_back(b.CreateAddrSpaceCast(argument, parameter.getType()));
  CallInst *made = b.CreateCall(&version, arguments);
  made->copyMetadata(call);
  if (isa<FPMathOperator>(call) && isa<FPMathOperator>(made))
    made->copyFastMathFlags(&call);
  made->takeName(&call);
  call.replaceAllUsesWith(made);
  call.eraseFromParent();
}

class Specializer {
public:
  void run(Function &caller) {
    SmallVector<CallBase *> calls;
    for (Instruction &instruction : instructions(caller))
      if (keptCallee(instruction) != nullptr)
        calls.push_back(cast<CallBase>(&instruction));
    for (CallBase *call : calls)
      if (const Spaces spaces = spacesOf(*call); knowsAny(spaces))
        callVersion(*call, version(*keptCallee(*call), spaces));
  }

private:
  Function &version(Function &function, const Spaces &spaces) {
    Function *&known = versions[{&function, spaces}];
    if (known == nullptr) {
      known = &specialize(function, spaces);
      run(*known); // callers are handled first, so the version's own calls are still those of the program
    }
    return *known;
  }

  std::map<std::pair<Function *, Spaces>, Function *> versions;
};

} // namespace

void specializeSpaces(Module &module, FunctionAnalysisManager &analyses) {
  Specializer specializer;
  const SmallVector<Function *> order = callersFirst(module);
  for (Function *function : order) {
    if (isKept(*function) && function->use_empty()) { // all its calls have become calls of versions
      analyses.clear(*function, function->getName());
      function->eraseFromParent();
      continue;
    }
    specializer.run(*function);
  }
}

} // namespace lanecl::vectorizer
