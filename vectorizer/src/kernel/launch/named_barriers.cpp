// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "kernel/launch/named_barriers.h"

#include "analysis/functions/primitives.h"
#include "analysis/lane_target.h"
#include "pass_support/preserved.h"
#include "vectorizer/contract/named_barriers.h"

#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace lanecl::vectorizer {

// Returns a local variable with `count` places for the barriers that the call makes.
static GlobalVariable *addPlaces(CallBase &call, unsigned count) {
  const uint64_t bytes = cast<ConstantInt>(call.getArgOperand(0))->getZExtValue();
  Type *type = ArrayType::get(ArrayType::get(Type::getInt8Ty(call.getContext()), bytes), count);
  auto *places = new GlobalVariable(*call.getModule(), type, false, GlobalValue::InternalLinkage, UndefValue::get(type),
                                    "named.barrier", nullptr, GlobalValue::NotThreadLocal, kLocal);
  places->setAlignment(Align(8));
  return places;
}

// Returns the number of the next place. It is counted by a private variable of each work-item: all work-items of a
// work-group make the same barriers, so their counts agree.
static Value *nextPlace(IRBuilderBase &b, Function &function) {
  BasicBlock &entry = function.getEntryBlock();
  IRBuilder<> first(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
  AllocaInst *counter = first.CreateAlloca(first.getInt32Ty(), nullptr, "named.barrier.turn");
  first.CreateStore(first.getInt32(0), counter);
  Value *turn = b.CreateLoad(b.getInt32Ty(), counter);
  b.CreateStore(b.CreateAdd(turn, b.getInt32(1)), counter);
  return b.CreateURem(turn, b.getInt32(kMostNamedBarriers));
}

PreservedAnalyses NamedBarriersPass::run(Function &function, FunctionAnalysisManager &analyses) {
  SmallVector<CallBase *> calls;
  for (Instruction &instruction : instructions(function))
    if (isPrimitive(instruction, Primitive::NamedBarrierMemory))
      calls.push_back(cast<CallBase>(&instruction));
  if (calls.empty())
    return PreservedAnalyses::all();
  const CycleInfo &cycles = analyses.getResult<CycleAnalysis>(function);
  for (CallBase *call : calls) {
    // A call that cannot repeat needs one place only.
    const bool repeats = cycles.getCycle(call->getParent()) != nullptr;
    GlobalVariable *places = addPlaces(*call, repeats ? kMostNamedBarriers : 1);
    IRBuilder<> b(call);
    Value *number = repeats ? nextPlace(b, function) : b.getInt32(0);
    call->replaceAllUsesWith(b.CreateInBoundsGEP(places->getValueType(), places, {b.getInt32(0), number}));
    call->eraseFromParent();
  }
  return preservedWithCfg(true);
}

} // namespace lanecl::vectorizer
