// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Order of volatile accesses in lanes.
#pragma once

#include "analysis/lane_target.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

namespace lanecl::vectorizer {

// Keeps a volatile access of several lanes in its place and in the code, by compiler-only fences before and after it,
// which need no machine code. The fences are needed because vector accesses are made by instructions and intrinsics
// that are not volatile. An access of one address for all lanes is volatile itself, and so is an access lane by lane.
//
// Local and private memory need no fences: only the thread that runs the work-group sees them, and LLVM keeps the order
// that one thread sees.
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
