// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Atomic read-modify-write operations. The operations of the lanes may happen in any order, so many of them can be
// combined into one.
#include "widen/widener.h"

#include "analysis/lane_target.h"
#include "lanes/cross_lane/permute.h"
#include "lanes/cross_lane/reduce.h"
#include "lanes/cross_lane/votes.h"
#include "lanes/lane_loop.h"
#include "lanes/memory/update_neighbors.h"
#include "widen/alias_scopes.h"

#include <cassert>

using namespace llvm;

namespace lanecl::vectorizer {
namespace {

// Returns the reduction that combines the operands of all lanes into one operation with the same result in memory, if
// there is one. Floating-point additions are not combined, because the result would depend on the grouping.
std::optional<lanes::ReduceOp> combining(AtomicRMWInst::BinOp operation) {
  switch (operation) {
  case AtomicRMWInst::Add:
  case AtomicRMWInst::Sub: return lanes::ReduceOp::Add;
  case AtomicRMWInst::And: return lanes::ReduceOp::And;
  case AtomicRMWInst::Or: return lanes::ReduceOp::Or;
  case AtomicRMWInst::Xor: return lanes::ReduceOp::Xor;
  case AtomicRMWInst::Max: return lanes::ReduceOp::SMax;
  case AtomicRMWInst::Min: return lanes::ReduceOp::SMin;
  case AtomicRMWInst::UMax: return lanes::ReduceOp::UMax;
  case AtomicRMWInst::UMin: return lanes::ReduceOp::UMin;
  case AtomicRMWInst::FMax: return lanes::ReduceOp::FMax;
  case AtomicRMWInst::FMin: return lanes::ReduceOp::FMin;
  default: return std::nullopt;
  }
}

// Reduces the operands of the active lanes. Minimum and maximum have no neutral element if operands may be NaN.
// Repeating an operand does not change them, so inactive lanes get the operand of the first active lane.
Value *reduceActive(lanes::LaneContext &c, lanes::ReduceOp operation, Value *operands, Value *mask) {
  const bool is_minimum = operation == lanes::ReduceOp::FMin || operation == lanes::ReduceOp::FMax;
  if (!is_minimum || lanes::isFullMask(mask))
    return lanes::emitReduce(c, operation, operands, mask);
  Value *first = c.b.CreateVectorSplat(c.width, lanes::emitBroadcastFirst(c, operands, mask));
  return lanes::emitReduce(c, operation, c.b.CreateSelect(mask, operands, first), nullptr);
}

} // namespace

// Updates neighboring elements of local memory with a vector load and a vector store: no other thread accesses local
// memory of this work-group. Returns false if the elements are not consecutive.
bool Widener::updateOwnNeighbors(AtomicRMWInst &rmw) {
  const Value *pointer = rmw.getPointerOperand();
  const auto bytes = static_cast<int64_t>(layout.getTypeStoreSize(rmw.getType()).getFixedValue());
  if (rmw.getPointerAddressSpace() != kLocal || !shapeOf(pointer).isStrided() || shapeOf(pointer).stride() != bytes)
    return false;
  const AliasScopes scopes(b, rmw);
  setLanes(rmw, {lanes::emitUpdateOwnNeighbors(c, rmw, laneOf(rmw.getValOperand()), scalarOf(rmw.getPointerOperand()),
                                               mask, rmw.getAlign())});
  return true;
}

// Updates neighboring elements of global memory, several by each atomic instruction, if all lanes are active and the
// address is aligned. Returns false if the access has another form.
bool Widener::updateNeighbors(AtomicRMWInst &rmw) {
  const unsigned together = lanes::updatedTogether(rmw);
  if (options.partial || !rmw.use_empty() || together == 1)
    return false;
  const std::optional<LikelyRow> row = rowOf(rmw.getPointerOperand(), rmw.getType(), rmw.getAlign());
  if (!row)
    return false;
  Value *address = b.CreatePtrToInt(row->pointer, b.getInt64Ty());
  const uint64_t bytes = layout.getTypeStoreSize(rmw.getType()).getFixedValue() * together;
  assert(isPowerOf2_64(bytes) && options.width % together == 0 && "whole exchanges, whose addresses have low bits");
  Value *fits = b.CreateIsNull(b.CreateAnd(address, bytes - 1));
  fits = b.CreateAnd(fits, row->is_row);
  if (!lanes::isFullMask(mask))
    fits = b.CreateAnd(fits, lanes::emitAll(c, mask));
  Value *operands = laneOf(rmw.getValOperand());
  const auto at_once = [&] {
    lanes::emitUpdateNeighbors(c, rmw, operands, row->pointer);
    return Values{};
  };
  const auto lane_by_lane = [&] {
    runLaneByLane(rmw);
    return Values{};
  };
  eitherWay(fits, at_once, lane_by_lane);
  return true;
}

void Widener::visitAtomicRMWInst(AtomicRMWInst &rmw) {
  context.facts.updates_atomically |= rmw.getPointerAddressSpace() != kLocal;
  if (!options.one_lane && (updateOwnNeighbors(rmw) || updateNeighbors(rmw)))
    return;
  const std::optional<lanes::ReduceOp> combine = combining(rmw.getOperation());
  const bool counts = rmw.getOperation() == AtomicRMWInst::Add || rmw.getOperation() == AtomicRMWInst::Sub;
  if (options.one_lane || !isUniform(rmw.getPointerOperand()) || !combine || (!rmw.use_empty() && !counts)) {
    callLaneByLane(rmw);
    return;
  }
  Value *operands = laneOf(rmw.getValOperand());
  auto *one = cast<AtomicRMWInst>(rmw.clone());
  one->setOperand(0, scalarOf(rmw.getPointerOperand()));
  one->setOperand(1, reduceActive(c, *combine, operands, mask));
  b.Insert(one, rmw.getName());
  if (rmw.use_empty())
    return;
  assert(counts && *combine == lanes::ReduceOp::Add && "only a sum tells what the lanes before have changed");
  // Each lane sees the old value and what the lanes before it added.
  Value *before = lanes::emitScan(c, lanes::ReduceOp::Add, operands, mask, lanes::ScanKind::Exclusive);
  Value *old = b.CreateVectorSplat(options.width, one);
  setLanes(rmw, {rmw.getOperation() == AtomicRMWInst::Add ? b.CreateAdd(old, before) : b.CreateSub(old, before)});
}

void Widener::visitAtomicCmpXchgInst(AtomicCmpXchgInst &exchange) {
  context.facts.updates_atomically |= exchange.getPointerAddressSpace() != kLocal;
  callLaneByLane(exchange);
}

void Widener::visitFenceInst(FenceInst &fence) {
  cloneScalar(fence);
}

} // namespace lanecl::vectorizer
