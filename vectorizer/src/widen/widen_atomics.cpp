// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Atomic read-modify-write operations. The lanes' operations may happen in any order, so many of them can be combined
// into one.
#include "widen/widener.h"

#include "analysis/lane_target.h"
#include "lanes/lane_loop.h"
#include "lanes/permute.h"
#include "lanes/reduce.h"

using namespace llvm;

namespace lanecl::vectorizer {
namespace {

// The reduction that combines the operands of all lanes into one operation, if there is one that gives the same
// memory in the end. Floating-point additions are not combined: the result would depend on the grouping.
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

// A minimum of NaNs has no neutral element, but repeating an operand does not change it: inactive lanes get the first
// active lane's.
Value *reduceActive(lanes::LaneContext &c, lanes::ReduceOp operation, Value *operands, Value *mask) {
  const bool is_minimum = operation == lanes::ReduceOp::FMin || operation == lanes::ReduceOp::FMax;
  if (!is_minimum || lanes::isFullMask(mask))
    return lanes::emitReduce(c, operation, operands, mask);
  Value *first = c.b.CreateVectorSplat(c.width, lanes::emitBroadcastFirst(c, operands, mask));
  return lanes::emitReduce(c, operation, c.b.CreateSelect(mask, operands, first), nullptr);
}

} // namespace

void Widener::visitAtomicRMWInst(AtomicRMWInst &rmw) {
  context.facts.updates_atomically |= rmw.getPointerAddressSpace() != kLocal;
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
