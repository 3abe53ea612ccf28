// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The lane primitives: sub-group operations become register operations.
#include "widen/widener.h"

#include "lanes/cross_lane/partner.h"
#include "lanes/cross_lane/permute.h"
#include "lanes/cross_lane/reduce.h"
#include "lanes/cross_lane/votes.h"
#include "lanes/memory/memory.h"

#include "llvm/IR/Module.h"

#include <cassert>

using namespace llvm;

namespace lanecl::vectorizer {
namespace {

// A reduction or scan: its operation and its kind.
struct GroupOperation {
  lanes::ReduceOp op;
  enum { Reduce, ClusteredReduce, ScanInclusive, ScanExclusive } kind;

  const char *describe() const {
    switch (kind) {
    case Reduce: return "reduction: a tree of log2 W steps";
    case ClusteredReduce:
      return "clustered reduction: a step of permute and operation for each doubling of the cluster";
    default: return "scan: log2 W steps of permute and operation";
    }
  }
};

// Returns the parts of a reduction or scan primitive, or nothing for other primitives.
std::optional<GroupOperation> groupOperation(Primitive primitive) {
  using lanes::ReduceOp;
  switch (primitive) {
#define OPERATION(name)                                                                                                \
  case Primitive::Reduce##name: return GroupOperation{ReduceOp::name, GroupOperation::Reduce};                         \
  case Primitive::ClusteredReduce##name: return GroupOperation{ReduceOp::name, GroupOperation::ClusteredReduce};       \
  case Primitive::ScanInclusive##name: return GroupOperation{ReduceOp::name, GroupOperation::ScanInclusive};           \
  case Primitive::ScanExclusive##name: return GroupOperation{ReduceOp::name, GroupOperation::ScanExclusive};
    OPERATION(Add)
    OPERATION(Mul)
    OPERATION(SMin)
    OPERATION(SMax)
    OPERATION(UMin)
    OPERATION(UMax)
    OPERATION(FMin)
    OPERATION(FMax)
    OPERATION(And)
    OPERATION(Or)
    OPERATION(Xor)
#undef OPERATION
  default: return std::nullopt;
  }
}

// Whether the lane's number is known at compile time.
bool isFixed(const Value *index) {
  return index != nullptr && isa<Constant>(index);
}

} // namespace

// Returns OpenCL's int predicate as a mask over the lanes. An undefined predicate is either true or false.
Value *Widener::lanePredicate(Value *value) {
  Value *vector = lanes::defined(c, laneOf(value));
  assert(vector->getType()->isIntOrIntVectorTy() && "a predicate is an int");
  return b.CreateICmpNE(vector, Constant::getNullValue(vector->getType()));
}

// Returns the same mask, true only in active lanes.
Value *Widener::votePredicate(Value *value) {
  Value *predicate = lanePredicate(value);
  return mask == nullptr ? predicate : b.CreateLogicalAnd(mask, predicate);
}

// Emits a reduction whose result is in all lanes of a vector. The vector is kept beside the scalar, so that no splat of
// the scalar is needed. Returns false if the target has no such form.
bool Widener::reduceToAll(CallBase &call, lanes::ReduceOp op) {
  Values vectors, scalars;
  for (Value *x : lanesOf(call.getArgOperand(0))) {
    Value *all = lanes::emitReduceToAll(c, op, x, mask);
    assert((all != nullptr || vectors.empty()) && "either all components are reduced like this or none");
    if (all == nullptr)
      return false;
    vectors.push_back(all);
    scalars.push_back(b.CreateExtractElement(all, uint64_t(0), "reduced"));
  }
  setScalar(call, rebuild(call.getType(), scalars));
  setLanes(call, std::move(vectors));
  return true;
}

bool Widener::widenReduction(CallBase &call, Primitive primitive) {
  const std::optional<GroupOperation> group = groupOperation(primitive);
  if (!group)
    return false;
  remarkOnOperation(call, group->describe());
  if (group->kind == GroupOperation::Reduce && reduceToAll(call, group->op))
    return true;
  const auto emit = [&](Value *x) -> Value * {
    switch (group->kind) {
    case GroupOperation::Reduce: return lanes::emitReduce(c, group->op, x, mask);
    case GroupOperation::ClusteredReduce:
      return lanes::emitClusteredReduce(c, group->op, x, mask, anyActiveLane(call.getArgOperand(1)));
    case GroupOperation::ScanInclusive: return lanes::emitScan(c, group->op, x, mask, lanes::ScanKind::Inclusive);
    case GroupOperation::ScanExclusive: return lanes::emitScan(c, group->op, x, mask, lanes::ScanKind::Exclusive);
    }
    llvm_unreachable("every kind has an emitter");
  };
  Values results;
  for (Value *x : lanesOf(call.getArgOperand(0)))
    results.push_back(emit(x));
  if (hasUniformResult(primitive))
    setScalar(call, rebuild(call.getType(), results));
  else
    setResult(call, std::move(results));
  return true;
}

// Applies an operation to the vector of each component.
Widener::Values Widener::eachComponent(Value *value, function_ref<Value *(Value *)> operation) {
  Values results;
  for (Value *x : lanesOf(value))
    results.push_back(operation(x));
  return results;
}

void Widener::widenVote(CallBase &call, Primitive primitive) {
  if (primitive == Primitive::ActiveMask)
    return setScalar(call, lanes::emitBallot(c, mask));
  Value *argument = call.getArgOperand(0);
  if (primitive == Primitive::Ballot) {
    setScalar(call, lanes::emitBallot(c, votePredicate(argument)));
  } else if (primitive == Primitive::Any) {
    setScalar(call, b.CreateZExt(lanes::emitAny(c, votePredicate(argument)), call.getType()));
  } else {
    assert(primitive == Primitive::All && "the last of the votes");
    setScalar(call, b.CreateZExt(lanes::emitAllActive(c, lanePredicate(argument), mask), call.getType()));
  }
  remarkOnOperation(call, "vote: one test of the mask register");
}

void Widener::widenBroadcast(CallBase &call, Primitive primitive) {
  Value *source = call.getArgOperand(0), *index = nullptr;
  const bool from_first = primitive == Primitive::BroadcastFirst;
  if (isUniform(source)) {
    setScalar(call, scalarOf(source));
  } else if (from_first) {
    const auto results = eachComponent(source, [&](Value *x) { return lanes::emitBroadcastFirst(c, x, mask); });
    setScalar(call, rebuild(call.getType(), results));
  } else {
    index = anyActiveLane(call.getArgOperand(1));
    const auto results = eachComponent(source, [&](Value *x) { return lanes::emitBroadcast(c, x, index); });
    setScalar(call, rebuild(call.getType(), results));
  }
  remarkOnOperation(call, from_first       ? "broadcast of the first active lane: one permute"
                          : isFixed(index) ? "broadcast of a fixed lane: a splat"
                                           : "broadcast: one permute");
}

void Widener::widenShuffle(CallBase &call, Primitive primitive) {
  Value *index = nullptr;
  Values results;
  if (primitive == Primitive::Shuffle) {
    index = laneOf(call.getArgOperand(1));
    results = eachComponent(call.getArgOperand(0), [&](Value *x) { return lanes::emitShuffle(c, x, index); });
  } else {
    assert(primitive == Primitive::Shuffle2 && "the other shuffle takes two values");
    index = laneOf(call.getArgOperand(2));
    for (const auto &[low, high] : zip_equal(lanesOf(call.getArgOperand(0)), lanesOf(call.getArgOperand(1))))
      results.push_back(lanes::emitShuffle2(c, low, high, index));
  }
  setResult(call, std::move(results));
  remarkOnOperation(call, isFixed(index) ? "shuffle: an immediate permute" : "shuffle: a register permute");
}

void Widener::widenBlockRead(CallBase &call) {
  const SmallVector<Type *, 4> types = scalarTypes(call.getType());
  const Align align(layout.getTypeStoreSize(types[0]).getFixedValue());
  Value *pointer = anyActiveLane(call.getArgOperand(0));
  const auto components = lanes::emitBlockRead(c, types[0], types.size(), pointer, mask, align);
  setResult(call, Values(ArrayRef<Value *>(components)));
  remarkOnOperation(call, "block read: sub-group-wide loads");
}

void Widener::widenBlockWrite(CallBase &call) {
  const Values components = lanesOf(call.getArgOperand(1));
  const Align align(layout.getTypeStoreSize(components[0]->getType()->getScalarType()).getFixedValue());
  lanes::emitBlockWrite(c, components, anyActiveLane(call.getArgOperand(0)), mask, align);
  remarkOnOperation(call, "block write: sub-group-wide stores");
}

void Widener::widenPartnerExchange(CallBase &call) {
  setResult(call, lanes::emitPartnerExchange(b, lanesOf(call.getArgOperand(0))));
  remarkOnOperation(call, "exchange with the partner: both sub-groups wait for each other");
}

void Widener::widenPrimitive(CallBase &call, Primitive primitive) {
  if (widenReduction(call, primitive))
    return;
  switch (primitive) {
  case Primitive::LaneId: return setScalar(call, b.getInt32(0));
  case Primitive::Any:
  case Primitive::All:
  case Primitive::Ballot:
  case Primitive::ActiveMask: return widenVote(call, primitive);
  case Primitive::Broadcast:
  case Primitive::BroadcastFirst: return widenBroadcast(call, primitive);
  case Primitive::Shuffle:
  case Primitive::Shuffle2: return widenShuffle(call, primitive);
  case Primitive::BlockRead: return widenBlockRead(call);
  case Primitive::BlockWrite: return widenBlockWrite(call);
  case Primitive::RowRead: return widenRowRead(call);
  case Primitive::RowWrite: return widenRowWrite(call);
  case Primitive::MatrixMad: return widenMatrixMultiply(call);
  case Primitive::Partner: return widenPartnerExchange(call);
  case Primitive::Clock: return setScalar(call, b.CreateIntrinsic(Intrinsic::readcyclecounter, {}));
  case Primitive::Printf: return callLaneByLane(call);
  case Primitive::LocalId:
    context.diagnostics.error(call, "local_id must be resolved before widening");
    return setLanes(call, {PoisonValue::get(c.vectorOf(call.getType()))});
  default: // queries and barriers: once for all lanes
    assert((hasUniformResult(primitive) || call.getType()->isVoidTy() || isUniform(&call)) &&
           "it has a form of its own");
    return setScalar(call, cloneScalar(call));
  }
}

} // namespace lanecl::vectorizer
