// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "analysis/lane_target.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

namespace lanecl::vectorizer {

// Keeps a volatile access of lanes in its place and in the code. Vectors are accessed by instructions and intrinsics
// that are not volatile, so fences for the compiler alone stand before and behind them: no machine code. What accesses
// one address for all lanes, or one lane's after the other, is volatile itself.
//
// Local and private memory need none. Only the thread that runs the work-group sees them, and LLVM keeps what one
// thread sees.
class VolatileOrder {
public:
  VolatileOrder(llvm::IRBuilderBase &b, const llvm::Instruction &access, bool has_one_address)
      : b(b), needed(access.isVolatile() && !access.isAtomic() && !has_one_address && isSeenByOthers(access)) {
    fence();
  }
  ~VolatileOrder() { fence(); }
  VolatileOrder(const VolatileOrder &) = delete;
  VolatileOrder &operator=(const VolatileOrder &) = delete;

private:
  static bool isSeenByOthers(const llvm::Instruction &access) {
    const unsigned space = llvm::getLoadStorePointerOperand(&access)->getType()->getPointerAddressSpace();
    return space != kLocal && space != kPrivate;
  }
  void fence() {
    if (needed)
      b.CreateFence(llvm::AtomicOrdering::SequentiallyConsistent, llvm::SyncScope::SingleThread);
  }

  llvm::IRBuilderBase &b;
  const bool needed;
};

} // namespace lanecl::vectorizer
