// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "optimize/vector/wide_extensions.h"

#include "pass_support/preserved.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace lanecl::vectorizer {

namespace {

using Extensions = SmallVector<FPExtInst *, 8>;

bool isSplat(const ShuffleVectorInst &shuffle) {
  return all_equal(shuffle.getShuffleMask()) && shuffle.getMaskValue(0) >= 0 &&
         shuffle.getMaskValue(0) < int(cast<FixedVectorType>(shuffle.getOperand(0)->getType())->getNumElements());
}

// Returns the vector that the half is an element of, or whose element is in all lanes of it; null if there is none.
Value *vectorBehind(Value *half) {
  if (auto *element = dyn_cast<ExtractElementInst>(half); element && isa<ConstantInt>(element->getIndexOperand()))
    return element->getVectorOperand();
  auto *shuffle = dyn_cast<ShuffleVectorInst>(half);
  return shuffle && isSplat(*shuffle) ? shuffle->getOperand(0) : nullptr;
}

// Collects the extensions of halves by the vector that the halves come from.
MapVector<Instruction *, Extensions> extensionsByVector(Function &function) {
  MapVector<Instruction *, Extensions> result;
  for (Instruction &instruction : instructions(function)) {
    auto *extension = dyn_cast<FPExtInst>(&instruction);
    if (!extension || !extension->getSrcTy()->getScalarType()->isHalfTy() ||
        !extension->getDestTy()->getScalarType()->isFloatTy())
      continue;
    if (auto *vector = dyn_cast_or_null<Instruction>(vectorBehind(extension->getOperand(0))))
      result[vector].push_back(extension);
  }
  return result;
}

// Takes the same part as `half` out of the extended vector.
Value *takenFrom(IRBuilder<> &b, Value *wide, Value *half) {
  if (auto *element = dyn_cast<ExtractElementInst>(half))
    return b.CreateExtractElement(wide, element->getIndexOperand());
  return b.CreateShuffleVector(wide, cast<ShuffleVectorInst>(half)->getShuffleMask());
}

// Extends the vector once, and takes the floats out of the result.
void extendTogether(Instruction &vector, const Extensions &extensions) {
  IRBuilder<> b(vector.getContext());
  b.SetInsertPoint(*vector.getInsertionPointAfterDef());
  b.SetCurrentDebugLocation(extensions[0]->getDebugLoc());
  Value *wide = b.CreateFPExt(&vector, vector.getType()->getWithNewType(b.getFloatTy()));
  for (FPExtInst *extension : extensions) {
    auto *half = cast<Instruction>(extension->getOperand(0));
    b.SetInsertPoint(extension);
    extension->replaceAllUsesWith(takenFrom(b, wide, half));
    extension->eraseFromParent();
    if (half->use_empty())
      half->eraseFromParent();
  }
}

} // namespace

PreservedAnalyses WideExtensionsPass::run(Function &function, FunctionAnalysisManager &) {
  bool changed = false;
  for (const auto &[vector, extensions] : extensionsByVector(function))
    if (extensions.size() > 1) {
      extendTogether(*vector, extensions);
      changed = true;
    }
  return preservedWithCfg(changed);
}

} // namespace lanecl::vectorizer
