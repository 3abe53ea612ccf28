// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "check/groups/check_sub_groups.h"

#include "check/call_checks.h"

using namespace llvm;

namespace lanecl::vectorizer {

namespace {

using abi::CheckRule;

// OpenCL C: "These functions must be encountered by all work items in the subgroup." Similar names that are missing
// here, such as sub_group_non_uniform_reduce_add, belong to functions for divergent flow.
bool needsWholeSubGroup(StringRef name) {
  return name == "sub_group_all" || name == "sub_group_any" || name == "sub_group_barrier" ||
         name == "sub_group_broadcast" || name == "intel_sub_group_broadcast" ||
         name == "__lanecl_named_barrier_wait" ||
         beginsWithAny(name, {"sub_group_reduce_", "sub_group_scan_", "sub_group_reserve_", "sub_group_commit_",
                              "intel_sub_group_block_", "intel_sub_group_media_block_", "intel_sub_group_2d_block_"}) ||
         (name.starts_with("intel_sub_group_") && name.contains("matrix_mad"));
}

// The checks of one call.
class LaneChecks : CallChecks {
public:
  using CallChecks::CallChecks;

  void run();

private:
  void wholeSubGroup();
  void broadcast(bool of_whole_sub_group);
  void lane(Value *lane);
  void lanesValue(Value *lane, Value *is_lane);
  void intelRelative(bool up, Value *delta);
  void relative(bool up, Value *delta);
  void rotation(Value *delta, Value *cluster);
  void clusterSize(Value *size);
};

// Reports the call if some of the existing lanes do not reach it.
void LaneChecks::wholeSubGroup() {
  Value *active = createActiveMask(b), *all = createExistingMask(b);
  reportIf(b.CreateICmpNE(active, all), CheckRule::WholeSubGroup, active, all);
}

// Reports a lane number that differs between lanes or that no lane has. A function for divergent flow must also name a
// lane that calls it.
void LaneChecks::broadcast(bool of_whole_sub_group) {
  Value *lane = b.CreateZExtOrTrunc(call.getArgOperand(1), b.getInt32Ty());
  uniform(lane);
  Value *size = createSubGroupSize(b), *beyond = b.CreateICmpUGE(lane, size);
  reportIf(beyond, CheckRule::LaneOutOfRange, lane, size);
  if (!of_whole_sub_group)
    lanesValue(lane, b.CreateICmpULT(lane, createSubGroupSize(b)));
}

// Reports a lane whose value is read although it does not call the function. `is_lane` says whether there is such a
// lane at all.
void LaneChecks::lanesValue(Value *lane, Value *is_lane) {
  Value *active = createActiveMask(b);
  Value *within = b.CreateURem(lane, createWidth(b)); // shifting by more than 63 bits would be poison
  Value *bit = b.CreateAnd(b.CreateLShr(active, b.CreateZExt(within, b.getInt64Ty())), 1);
  Value *missing = b.CreateAnd(b.CreateICmpEQ(bit, b.getInt64(0)), is_lane);
  reportIf(missing, CheckRule::LaneNotActive, lane, active);
}

// Reports a lane number that no lane has, and a lane that does not call the function.
void LaneChecks::lane(Value *lane) {
  Value *width = createWidth(b);
  reportIf(b.CreateICmpUGE(lane, width), CheckRule::LaneOutOfRange, lane, width);
  lanesValue(lane, b.CreateICmpULT(lane, createWidth(b)));
}

// intel_sub_group_shuffle_up and _down index the 2·W lanes of two values, so that only an index outside both names no
// lane. `up` counts backwards from the first lane of the second value.
void LaneChecks::intelRelative(bool up, Value *delta) {
  Value *own = createLaneId(b), *width = createWidth(b);
  Value *index = up ? b.CreateSub(b.CreateAdd(own, width), delta) : b.CreateAdd(own, delta);
  Value *twice = b.CreateShl(width, 1);
  Value *overflows = up ? b.CreateICmpUGT(delta, b.CreateAdd(own, width)) : b.CreateICmpULT(index, own);
  Value *beyond = b.CreateOr(overflows, b.CreateICmpUGE(index, twice));
  reportIf(beyond, CheckRule::NoSuchDistance, delta, width);
  lanesValue(b.CreateURem(index, createWidth(b)), b.CreateNot(beyond));
}

// sub_group_shuffle_up and _down: lanes near the start or end of the sub-group have no partner, which is no error,
// because a scan by such steps does not use their result. A distance at which no lane has a partner is reported.
void LaneChecks::relative(bool up, Value *delta) {
  Value *width = createWidth(b), *beyond = b.CreateICmpUGE(delta, width);
  reportIf(beyond, CheckRule::NoSuchDistance, delta, width);
  Value *own = createLaneId(b), *size = createSubGroupSize(b);
  Value *index = up ? b.CreateSub(own, delta) : b.CreateAdd(own, delta);
  Value *exists = b.CreateAnd(b.CreateICmpULT(index, size), b.CreateICmpULT(delta, size));
  lanesValue(index, exists);
}

// Checks a rotation within the sub-group, or within clusters of its lanes.
void LaneChecks::rotation(Value *delta, Value *cluster) {
  uniform(delta);
  if (cluster)
    clusterSize(cluster);
  Value *own = createLaneId(b), *last = b.CreateSub(cluster ? cluster : createWidth(b), b.getInt32(1));
  Value *index = b.CreateOr(b.CreateAnd(own, b.CreateNot(last)), b.CreateAnd(b.CreateAdd(own, delta), last));
  lanesValue(index, b.getTrue());
}

// OpenCL C: "Behavior is undefined if clustersize is not an integer constant expression, is not a power-of-two, or is
// greater than the maximum size of a sub-group within the dispatch."
void LaneChecks::clusterSize(Value *size) {
  Value *width = createWidth(b);
  Value *rest = b.CreateAnd(size, b.CreateSub(size, b.getInt32(1)));
  Value *is_power = b.CreateAnd(b.CreateICmpEQ(rest, b.getInt32(0)), b.CreateICmpNE(size, b.getInt32(0)));
  Value *is_size = b.CreateAnd(is_power, b.CreateICmpULE(size, width));
  reportIf(isa<Constant>(size) ? b.CreateNot(is_size) : b.getTrue(), CheckRule::ClusterSize, size,
           b.getInt64(isa<Constant>(size)));
}

void LaneChecks::run() {
  if (needsWholeSubGroup(name))
    wholeSubGroup();
  const auto argument = [this](unsigned i) { return call.getArgOperand(i); };
  if (name == "sub_group_broadcast" || name == "intel_sub_group_broadcast")
    broadcast(/*of_whole_sub_group=*/true);
  else if (name == "sub_group_non_uniform_broadcast")
    broadcast(/*of_whole_sub_group=*/false);
  else if (name == "sub_group_shuffle" || name == "intel_sub_group_shuffle")
    lane(argument(1));
  else if (name == "sub_group_shuffle_xor" || name == "intel_sub_group_shuffle_xor")
    lane(b.CreateXor(createLaneId(b), argument(1)));
  else if (name == "sub_group_shuffle_up" || name == "sub_group_shuffle_down")
    relative(name == "sub_group_shuffle_up", argument(1));
  else if (name == "intel_sub_group_shuffle_up" || name == "intel_sub_group_shuffle_down")
    intelRelative(name == "intel_sub_group_shuffle_up", argument(2));
  else if (name == "sub_group_rotate" || name == "sub_group_clustered_rotate")
    rotation(argument(1), call.arg_size() > 2 ? argument(2) : nullptr);
  else if (name.starts_with("sub_group_clustered_reduce_"))
    clusterSize(argument(1));
}

} // namespace

PreservedAnalyses CheckSubGroupsPass::run(Function &function, FunctionAnalysisManager &) {
  const auto calls =
      findCalls(function, [](StringRef name) { return name.contains("sub_group_") || needsWholeSubGroup(name); });
  for (const auto &[call, name] : calls)
    LaneChecks(*call, name).run();
  return calls.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

} // namespace lanecl::vectorizer
