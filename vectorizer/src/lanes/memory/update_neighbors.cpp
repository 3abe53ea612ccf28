// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lanes/memory/update_neighbors.h"

#include "lanes/loop.h"
#include "lanes/memory/memory.h"

#include "llvm/Transforms/Utils/LowerAtomic.h"

#include <cassert>

using namespace llvm;

namespace lanecl::vectorizer::lanes {
namespace {

constexpr unsigned kExchangedBytes = 16; // the widest compare-and-exchange, cmpxchg16b

// Returns whether the processor has an atomic instruction for the operation if the old value is not needed.
bool hasInstruction(AtomicRMWInst::BinOp operation) {
  switch (operation) {
  case AtomicRMWInst::Xchg:
  case AtomicRMWInst::Add:
  case AtomicRMWInst::Sub:
  case AtomicRMWInst::And:
  case AtomicRMWInst::Or:
  case AtomicRMWInst::Xor: return true;
  default: return false;
  }
}

// Updates 16 bytes by compare-and-exchange. The exchange fails if an element has changed since it was read, which is
// rare, and is then repeated.
void updateTogether(IRBuilderBase &b, const AtomicRMWInst &update, Value *operands, Value *ptr) {
  const Align align(kExchangedBytes);
  const AtomicOrdering ordering = update.getOrdering();
  const SyncScope::ID scope = update.getSyncScopeID();
  Type *all = b.getIntNTy(8 * kExchangedBytes);
  const auto exchange = [&](Value *read) {
    Value *old = b.CreateBitCast(read, operands->getType());
    Value *changed = b.CreateBitCast(buildAtomicRMWValue(update.getOperation(), b, old, operands), all);
    Value *result = b.CreateAtomicCmpXchg(ptr, read, changed, align, ordering,
                                          AtomicCmpXchgInst::getStrongestFailureOrdering(ordering), scope);
    return std::pair(b.CreateExtractValue(result, 0), b.CreateNot(b.CreateExtractValue(result, 1)));
  };
  // The first exchange expects what a plain atomic load finds; each failed exchange returns newer values to try again.
  LoadInst *first = b.CreateAlignedLoad(all, ptr, align, "neighbors");
  first->setAtomic(AtomicOrdering::Monotonic, scope);
  const auto [read, again] = exchange(first);
  SmallVector<Value *, 1> carried{read};
  emitLoop(b, "update", again, carried, [&](SmallVectorImpl<Value *> &values) {
    const auto [newer, repeat] = exchange(values[0]);
    values[0] = newer;
    return repeat;
  });
}

} // namespace

unsigned updatedTogether(const AtomicRMWInst &update) {
  constexpr unsigned kWorthwhile = 4; // how many single atomic instructions one exchange has to replace
  const auto bytes = update.getDataLayout().getTypeStoreSize(update.getType()).getFixedValue();
  assert(kExchangedBytes % bytes == 0 && "whole elements are exchanged");
  const unsigned together = kExchangedBytes / static_cast<unsigned>(bytes);
  return hasInstruction(update.getOperation()) && together < kWorthwhile ? 1 : together;
}

void emitUpdateNeighbors(const LaneContext &c, const AtomicRMWInst &update, Value *operands, Value *ptr) {
  IRBuilderBase &b = c.b;
  const unsigned together = updatedTogether(update);
  assert(together > 1 && c.width % together == 0 && hasLanes(c, operands) && "whole exchanges");
  assert(update.use_empty() && "nobody asks for the old values");
  operands = defined(c, operands);
  for (unsigned lane = 0; lane < c.width; lane += together) {
    SmallVector<int, 4> part;
    for (unsigned i = 0; i < together; ++i)
      part.push_back(static_cast<int>(lane + i));
    updateTogether(b, update, b.CreateShuffleVector(operands, part),
                   b.CreateConstInBoundsGEP1_64(update.getType(), ptr, lane));
  }
}

Value *emitUpdateOwnNeighbors(const LaneContext &c, const AtomicRMWInst &update, Value *operands, Value *ptr,
                              Value *mask, Align align) {
  Value *old = emitLoadConsecutive(c, update.getType(), ptr, mask, align);
  Value *changed = buildAtomicRMWValue(update.getOperation(), c.b, old, operands);
  emitStoreConsecutive(c, changed, ptr, mask, align);
  return old;
}

} // namespace lanecl::vectorizer::lanes
