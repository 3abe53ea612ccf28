// The lane primitives: sub-group operations become register operations.
#include "widen/widener.h"

#include "lanes/memory.h"
#include "lanes/partner.h"
#include "lanes/permute.h"
#include "lanes/reduce.h"
#include "lanes/votes.h"

#include "llvm/IR/Module.h"

using namespace llvm;

namespace lanecl::vectorizer {
namespace {

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

const char *describe(Primitive primitive, const Value *index) {
  const bool constant = index != nullptr && isa<Constant>(index);
  switch (primitive) {
  case Primitive::Any:
  case Primitive::All:
  case Primitive::Ballot: return "vote: one test of the mask register";
  case Primitive::Broadcast: return constant ? "broadcast of a fixed lane: a splat" : "broadcast: one permute";
  case Primitive::BroadcastFirst: return "broadcast of the first active lane: one permute";
  case Primitive::Shuffle:
  case Primitive::Shuffle2: return constant ? "shuffle: an immediate permute" : "shuffle: a register permute";
  case Primitive::BlockRead: return "block read: sub-group-wide loads";
  case Primitive::BlockWrite: return "block write: sub-group-wide stores";
  case Primitive::Partner: return "exchange with the partner: both sub-groups wait for each other";
  case Primitive::MatrixMad: return "matrix multiplication: splats of the rows and dot products";
  default: return nullptr;
  }
}

} // namespace

// OpenCL's int predicate as a mask over the lanes, true only in active ones.
Value *Widener::votePredicate(Value *value) {
  Value *vector = laneOf(value);
  Value *predicate = b.CreateICmpNE(vector, Constant::getNullValue(vector->getType()));
  return mask == nullptr ? predicate : b.CreateLogicalAnd(mask, predicate);
}

bool Widener::widenReduction(CallBase &call, Primitive primitive) {
  const std::optional<GroupOperation> group = groupOperation(primitive);
  if (!group)
    return false;
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
  remark(Remark::Kind::SubGroupOperation, call, group->describe());
  if (hasUniformResult(primitive))
    setScalar(call, rebuild(call.getType(), results));
  else
    setLanes(call, std::move(results));
  return true;
}

void Widener::widenPrimitive(CallBase &call, Primitive primitive) {
  if (widenReduction(call, primitive))
    return;
  const auto argument = [&](unsigned i) { return call.getArgOperand(i); };
  const auto each = [&](function_ref<Value *(Value *)> operation) {
    Values results;
    for (Value *x : lanesOf(argument(0)))
      results.push_back(operation(x));
    return results;
  };
  Value *index = nullptr;
  switch (primitive) {
  case Primitive::LaneId: setScalar(call, b.getInt32(0)); break;
  case Primitive::Any:
    setScalar(call, b.CreateZExt(lanes::emitAny(c, votePredicate(argument(0))), call.getType()));
    break;
  case Primitive::All: {
    Value *vector = laneOf(argument(0));
    Value *predicate = b.CreateICmpNE(vector, Constant::getNullValue(vector->getType()));
    setScalar(call, b.CreateZExt(lanes::emitAllActive(c, predicate, mask), call.getType()));
    break;
  }
  case Primitive::Ballot: setScalar(call, lanes::emitBallot(c, votePredicate(argument(0)))); break;
  case Primitive::ActiveMask: setScalar(call, lanes::emitBallot(c, mask)); break;
  case Primitive::Broadcast:
    if (isUniform(argument(0))) {
      setScalar(call, scalarOf(argument(0)));
      break;
    }
    index = anyActiveLane(argument(1));
    setScalar(call, rebuild(call.getType(), each([&](Value *x) { return lanes::emitBroadcast(c, x, index); })));
    break;
  case Primitive::BroadcastFirst:
    if (isUniform(argument(0))) {
      setScalar(call, scalarOf(argument(0)));
      break;
    }
    setScalar(call, rebuild(call.getType(), each([&](Value *x) { return lanes::emitBroadcastFirst(c, x, mask); })));
    break;
  case Primitive::Shuffle:
    index = laneOf(argument(1));
    setLanes(call, each([&](Value *x) { return lanes::emitShuffle(c, x, index); }));
    break;
  case Primitive::Shuffle2: {
    index = laneOf(argument(2));
    Values results;
    for (const auto &[low, high] : zip(lanesOf(argument(0)), lanesOf(argument(1))))
      results.push_back(lanes::emitShuffle2(c, low, high, index));
    setLanes(call, std::move(results));
    break;
  }
  case Primitive::BlockRead: {
    const SmallVector<Type *, 4> types = scalarTypes(call.getType());
    const Align align(layout.getTypeStoreSize(types[0]).getFixedValue());
    const auto components = lanes::emitBlockRead(c, types[0], types.size(), anyActiveLane(argument(0)), mask, align);
    setLanes(call, Values(ArrayRef<Value *>(components)));
    break;
  }
  case Primitive::BlockWrite: {
    const Values components = lanesOf(argument(1));
    const Align align(layout.getTypeStoreSize(components[0]->getType()->getScalarType()).getFixedValue());
    lanes::emitBlockWrite(c, components, anyActiveLane(argument(0)), mask, align);
    break;
  }
  case Primitive::RowRead: widenRowRead(call); break;
  case Primitive::RowWrite: widenRowWrite(call); break;
  case Primitive::MatrixMad: widenMatrixMultiply(call); break;
  case Primitive::Partner: setLanes(call, lanes::emitPartnerExchange(b, lanesOf(argument(0)))); break;
  case Primitive::Clock: setScalar(call, b.CreateIntrinsic(Intrinsic::readcyclecounter, {})); break;
  case Primitive::Printf: callLaneByLane(call); return;
  case Primitive::LocalId:
    context.diagnostics.error(call, "local_id must be resolved before widening");
    setLanes(call, {PoisonValue::get(c.vectorOf(call.getType()))});
    break;
  default: setScalar(call, cloneScalar(call)); break; // queries and barriers: once for all lanes
  }
  if (const char *text = describe(primitive, index))
    remark(Remark::Kind::SubGroupOperation, call, text);
}

} // namespace lanecl::vectorizer
