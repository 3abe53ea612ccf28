// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "optimize/wide_extensions.h"

#include "pass_support/preserved.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace lanecl::vectorizer {

namespace {

using Extensions = SmallVector<FPExtInst *, 8>;

// Extensions of single halves, by the vector that these are in.
MapVector<Instruction *, Extensions> extensionsByVector(Function &function) {
  MapVector<Instruction *, Extensions> result;
  for (Instruction &instruction : instructions(function)) {
    auto *extension = dyn_cast<FPExtInst>(&instruction);
    auto *element = extension && extension->getSrcTy()->isHalfTy() && extension->getDestTy()->isFloatTy()
                        ? dyn_cast<ExtractElementInst>(extension->getOperand(0))
                        : nullptr;
    if (element && isa<ConstantInt>(element->getIndexOperand()))
      if (auto *vector = dyn_cast<Instruction>(element->getVectorOperand()))
        result[vector].push_back(extension);
  }
  return result;
}

void extendTogether(Instruction &vector, const Extensions &extensions) {
  IRBuilder<> b(vector.getContext());
  b.SetInsertPoint(*vector.getInsertionPointAfterDef());
  b.SetCurrentDebugLocation(extensions[0]->getDebugLoc());
  Value *wide = b.CreateFPExt(&vector, vector.getType()->getWithNewType(b.getFloatTy()));
  for (FPExtInst *extension : extensions) {
    auto *element = cast<ExtractElementInst>(extension->getOperand(0));
    b.SetInsertPoint(extension);
    extension->replaceAllUsesWith(b.CreateExtractElement(wide, element->getIndexOperand()));
    extension->eraseFromParent();
    if (element->use_empty())
      element->eraseFromParent();
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
