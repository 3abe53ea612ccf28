// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "check/check_sub_groups.h"

#include "analysis/lane_target.h"
#include "check/check_calls.h"

#include "llvm/IR/DerivedTypes.h"

using namespace llvm;

namespace lanecl::vectorizer {

namespace {

using abi::CheckRule;

bool isBlockFunction(StringRef name) {
  return beginsWithAny(name, {"intel_sub_group_block_read", "intel_sub_group_block_write"});
}

bool isMediaBlockFunction(StringRef name) {
  return beginsWithAny(name, {"intel_sub_group_media_block_read", "intel_sub_group_media_block_write"});
}

// "These functions must be encountered by all work items in the subgroup." The others of their names, such as
// sub_group_non_uniform_reduce_add, are for divergent flow.
bool needsWholeSubGroup(StringRef name) {
  return isBlockFunction(name) || isMediaBlockFunction(name) || name == "sub_group_all" || name == "sub_group_any" ||
         name == "sub_group_barrier" || name == "sub_group_broadcast" || name == "intel_sub_group_broadcast" ||
         name == "__lanecl_named_barrier_wait" ||
         beginsWithAny(name, {"sub_group_reduce_", "sub_group_scan_", "sub_group_reserve_", "sub_group_commit_",
                              "intel_sub_group_2d_block_"}) ||
         (name.starts_with("intel_sub_group_") && name.contains("matrix_mad"));
}

// The checks of one call, each inserted before it.
class CallChecks {
public:
  CallChecks(CallBase &call, StringRef name) : call(call), name(name), b(&call) {}

  void run();

private:
  // The builder before the call again, after a report has split its block.
  template <typename... Values> void reportIf(Value *broken, CheckRule rule, Value *value, Value *other) {
    vectorizer::reportIf(broken, call, rule, name, value, other);
    b.SetInsertPoint(&call);
  }
  void wholeSubGroup();
  void uniform(Value *value);
  void uniformPlace(unsigned argument);
  void block();
  void mediaBlock();
  void broadcast();
  void laneIndex(Value *index);

  CallBase &call;
  const StringRef name;
  IRBuilder<> b;
};

void CallChecks::wholeSubGroup() {
  Value *active = createActiveMask(b), *all = createExistingMask(b);
  reportIf(b.CreateICmpNE(active, all), CheckRule::WholeSubGroup, active, all);
}

// An i32 or i64.
void CallChecks::uniform(Value *value) {
  Value *first = createFirstLanes(b, value);
  reportIf(b.CreateICmpNE(value, first), CheckRule::UniformArgument, value, first);
}

// A pointer, or the coordinate in an image behind it.
void CallChecks::uniformPlace(unsigned argument) {
  Value *place = call.getArgOperand(argument);
  if (place->getType()->isPointerTy())
    return uniform(b.CreatePtrToInt(place, b.getInt64Ty()));
  const auto *coordinate =
      call.arg_size() > argument + 1 ? dyn_cast<FixedVectorType>(call.getArgOperand(argument + 1)->getType()) : nullptr;
  if (!coordinate || !coordinate->getElementType()->isIntegerTy(32))
    return;
  for (uint64_t i = 0; i < coordinate->getNumElements(); ++i)
    uniform(b.CreateExtractElement(call.getArgOperand(argument + 1), i));
}

// cl_intel_subgroups: reads of global memory are aligned to 4 bytes, writes to 16; of local memory both to 16.
void CallChecks::block() {
  uniformPlace(0);
  Value *size = createSubGroupSize(b), *width = createWidth(b);
  reportIf(b.CreateICmpNE(size, width), CheckRule::FullSubGroup, size, width);
  Value *pointer = call.getArgOperand(0);
  if (!pointer->getType()->isPointerTy())
    return;
  const bool is_local = pointer->getType()->getPointerAddressSpace() == kLocal;
  const uint64_t alignment = is_local || name.contains("_write") ? 16 : 4;
  Value *address = b.CreatePtrToInt(pointer, b.getInt64Ty());
  Value *rest = b.CreateAnd(address, alignment - 1);
  reportIf(b.CreateICmpNE(rest, b.getInt64(0)), CheckRule::BlockAlignment, address, b.getInt64(alignment));
}

// The offset, the width and the height of the region.
void CallChecks::mediaBlock() {
  Value *offset = call.getArgOperand(0);
  if (const auto *vector = dyn_cast<FixedVectorType>(offset->getType()))
    for (uint64_t i = 0; i < vector->getNumElements(); ++i)
      uniform(b.CreateExtractElement(offset, i));
  uniform(call.getArgOperand(1));
  uniform(call.getArgOperand(2));
}

void CallChecks::broadcast() {
  Value *lane = b.CreateZExtOrTrunc(call.getArgOperand(1), b.getInt32Ty());
  uniform(lane);
  Value *size = createSubGroupSize(b);
  reportIf(b.CreateICmpUGE(lane, size), CheckRule::LaneOutOfRange, lane, size);
}

void CallChecks::laneIndex(Value *index) {
  Value *width = createWidth(b);
  Value *beyond = b.CreateICmpUGE(index, width);
  reportIf(beyond, CheckRule::LaneOutOfRange, index, width);
  Value *active = createActiveMask(b);
  Value *within = b.CreateURem(index, width); // a shift by more than 63 would be poison
  Value *bit = b.CreateAnd(b.CreateLShr(active, b.CreateZExt(within, b.getInt64Ty())), 1);
  Value *missing = b.CreateAnd(b.CreateICmpEQ(bit, b.getInt64(0)), b.CreateNot(beyond));
  reportIf(missing, CheckRule::LaneNotActive, index, active);
}

void CallChecks::run() {
  if (needsWholeSubGroup(name))
    wholeSubGroup();
  if (isBlockFunction(name))
    block();
  else if (isMediaBlockFunction(name))
    mediaBlock();
  else if (name == "sub_group_broadcast" || name == "intel_sub_group_broadcast")
    broadcast();
  else if (name == "sub_group_shuffle" || name == "intel_sub_group_shuffle")
    laneIndex(call.getArgOperand(1));
  else if (name == "sub_group_shuffle_xor" || name == "intel_sub_group_shuffle_xor")
    laneIndex(b.CreateXor(createLaneId(b), call.getArgOperand(1)));
}

} // namespace

PreservedAnalyses CheckSubGroupsPass::run(Function &function, FunctionAnalysisManager &) {
  const auto calls =
      findCalls(function, [](StringRef name) { return name.contains("sub_group_") || needsWholeSubGroup(name); });
  for (const auto &[call, name] : calls)
    CallChecks(*call, name).run();
  return calls.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

} // namespace lanecl::vectorizer
