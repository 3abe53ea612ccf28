// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "optimize/vector/local_atomics.h"

#include "analysis/lane_target.h"
#include "pass_support/preserved.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"

using namespace llvm;

namespace lanecl::vectorizer {

PreservedAnalyses LocalAtomicsPass::run(Function &function, FunctionAnalysisManager &) {
  bool changed = false;
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    if (auto *update = dyn_cast<AtomicRMWInst>(&instruction); update && update->getPointerAddressSpace() == kLocal)
      changed |= lowerAtomicRMWInst(update);
    else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction);
             exchange && exchange->getPointerAddressSpace() == kLocal)
      changed |= lowerAtomicCmpXchgInst(exchange);
  }
  return preservedWithCfg(changed);
}

} // namespace lanecl::vectorizer
