// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "defined/value_numbering.h"

#include "pass_support/preserved.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Scalar/GVN.h"

using namespace llvm;

namespace lanecl::vectorizer {
namespace {

// Returns a function that, as far as LLVM knows, writes the variable to which its argument points.
FunctionCallee writer(Module &module, Type *pointer) {
  LLVMContext &context = module.getContext();
  const std::string name = "lanecl.begin.p" + std::to_string(pointer->getPointerAddressSpace());
  FunctionCallee callee = module.getOrInsertFunction(name, Type::getVoidTy(context), pointer);
  auto *function = cast<Function>(callee.getCallee());
  function->setOnlyAccessesArgMemory();
  function->setOnlyWritesMemory();
  function->setDoesNotThrow();
  function->setWillReturn();
  function->addParamAttr(0, Attribute::getWithCaptureInfo(context, CaptureInfo::none()));
  return callee;
}

// Adds a call of that function where each variable starts to exist: after its alloca and after each lifetime.start.
SmallVector<CallInst *> beginVariables(Function &function) {
  SmallVector<std::pair<Value *, Instruction *>> begins;
  for (Instruction &instruction : instructions(function)) {
    if (isa<AllocaInst>(instruction)) {
      begins.emplace_back(&instruction, instruction.getNextNode());
    } else if (auto *lifetime = dyn_cast<LifetimeIntrinsic>(&instruction);
               lifetime && lifetime->getIntrinsicID() == Intrinsic::lifetime_start) {
      Value *variable = lifetime->getArgOperand(lifetime->arg_size() - 1);
      if (!isa<Constant>(variable))
        begins.emplace_back(variable, lifetime->getNextNode());
    }
  }
  SmallVector<CallInst *> calls;
  for (const auto &[variable, at] : begins)
    calls.push_back(IRBuilder<>(at).CreateCall(writer(*function.getParent(), variable->getType()), {variable}));
  return calls;
}

} // namespace

PreservedAnalyses ValueNumberingPass::run(Function &function, FunctionAnalysisManager &analyses) {
  const SmallVector<CallInst *> begun = beginVariables(function);
  SmallVector<WeakTrackingVH> calls(begun.begin(), begun.end());
  if (!calls.empty())
    analyses.invalidate(function, preservedWithCfg(true));
  const PreservedAnalyses preserved = GVNPass().run(function, analyses);
  for (const WeakTrackingVH &call : calls)
    if (call)
      cast<Instruction>(call)->eraseFromParent();
  return calls.empty() ? preserved : PreservedAnalyses::none();
}

} // namespace lanecl::vectorizer
