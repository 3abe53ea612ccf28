// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Builds the work-group function of a kernel, in three files. work_group.cpp emits its outline, sub_group_calls.cpp the
// calls of the sub-groups' lanes from barrier to barrier, and yielding_rounds.cpp the rounds of kernels whose
// sub-groups wait in loops for others. For a kernel with barriers the function is, without optimizations:
//
//   for x in [x_begin, x_end)
//     for each sub-group s: k.lanes(…, s)                        up to the first barrier
//     while a sub-group is suspended
//       for each suspended sub-group s: k.lanes.resume(…, s)     up to the next barrier
#pragma once

#include "kernel/launch/launch_abi.h"
#include "pass_support/pass_context.h"
#include "vectorizer/contract/abi.h"
#include "widen/widen.h"
#include "work_group/suspensions.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace lanecl::vectorizer {

// The functions of k.lanes, for full sub-groups, or of k.lanes.partial, for the last one if it is incomplete.
struct Lanes {
  llvm::Function *enter = nullptr;
  llvm::Function *resume = nullptr;             // the companion of a coroutine
  llvm::SmallVector<llvm::Function *, 8> turns; // of a coroutine that is split into turns: called in place of `resume`
  uint64_t private_bytes = 0;
  uint64_t frame_bytes = 0;
  llvm::Align frame_alignment{abi::kMemoryAlignment};
  std::optional<uint64_t> partner_flag; // offset of the flag in partner_exchange.h
  std::optional<SubGroupState> state;   // offsets of the state in suspensions.h

  explicit operator bool() const { return enter != nullptr; }
  bool suspends() const { return resume || !turns.empty(); }
  // Returns how much scratch memory a sub-group needs, in bytes.
  uint64_t slotBytes() const { return suspends() ? frameOffset(private_bytes) + frame_bytes : private_bytes; }
};

// Finds the lanes function of this name and describes it; an empty result if there is none.
Lanes findLanes(llvm::Module &module, const llvm::Twine &name);

// Builds the function of one kernel.
class WorkGroupBuilder {
public:
  WorkGroupBuilder(llvm::Module &module, llvm::StringRef kernel, PassContext &context)
      : module(module), context(context), builder(module.getContext()), full(findLanes(module, kernel + kLanesSuffix)),
        partial(findLanes(module, kernel + kPartialSuffix)), width(context.launch.width) {
    create(kernel);
  }

  llvm::Function *run();

private:
  // work_group.cpp
  void create(llvm::StringRef kernel);
  void countSubGroups();
  void reserveScratch();
  void reserveRounds();
  void reportFrames();
  llvm::Value *groupsTogether();
  void runGroup();
  void tellBegin();
  void tellEnd();
  void inlineLanes();

  // sub_group_calls.cpp: sub-groups are entered, and resumed from barrier to barrier. The `body` of loop() returns the
  // step by which the index advances.
  void loop(llvm::Value *begin, llvm::Value *end, const char *name,
            llvm::function_ref<llvm::Value *(llvm::Value *)> body);
  void ifTrue(llvm::Value *condition, const char *name, llvm::function_ref<void()> body);
  void forEachSubGroup(llvm::function_ref<void(const Lanes &, llvm::Value *sub_group, llvm::Value *active)> body);
  llvm::Value *slotOf(llvm::Value *sub_group);
  llvm::Value *frameOf(const Lanes &lanes, llvm::Value *sub_group);
  llvm::SmallVector<llvm::Value *> argumentsFor(llvm::Value *sub_group, llvm::Value *active, llvm::Value *memory);
  void enter(const Lanes &lanes, llvm::Value *sub_group, llvm::Value *active);
  void callResume(const Lanes &lanes, llvm::Function *companion, llvm::Value *sub_group, llvm::Value *active);
  void resume(const Lanes &lanes, llvm::Value *sub_group, llvm::Value *active);
  llvm::Value *suspended(const Lanes &lanes, llvm::Value *sub_group);
  llvm::Value *partnerFlag(llvm::Value *sub_group);
  void exchangeWithPartner(const Lanes &lanes, llvm::Value *sub_group);
  void resumeInTurn();
  void resumeUntilDone();

  // yielding_rounds.cpp: sub-groups that wait in loops for others go on in rounds; a work-group whose sub-groups only
  // wait is suspended.
  bool yields() const { return full.state || partial.state; }
  llvm::Value *stateField(llvm::Value *sub_group, uint64_t offset);
  llvm::Value *suspensionField(uint64_t offset);
  void goOnOrBegin(llvm::function_ref<void()> begin);
  void resumeIfReady(const Lanes &lanes, llvm::Value *sub_group, llvm::Value *active);
  llvm::Value *isBack(const Lanes &lanes, llvm::Value *sub_group);
  void noteTurn(const Lanes &lanes, llvm::Value *sub_group);
  llvm::Value *turnsOf(llvm::Value *sub_group);
  void takeTurns(const Lanes &lanes, llvm::Value *sub_group, llvm::Value *active);
  void releaseBarrier();
  void suspendGroup(llvm::BasicBlock *round);
  void resumeAndYield();

  llvm::Module &module;
  PassContext &context;
  llvm::IRBuilder<> builder;
  Lanes full, partial;
  unsigned width;
  llvm::Function *function = nullptr;
  llvm::Value *launch = nullptr, *worker = nullptr, *local_size = nullptr, *group_x = nullptr;
  llvm::Value *items = nullptr;      // i64: the number of work-items
  llvm::Value *full_count = nullptr; // i64: the number of full sub-groups
  llvm::Value *full_items =
      nullptr;                 // i64: work-items of the full sub-groups that are entered at once, if a call takes rows
  llvm::Value *rest = nullptr; // i64: work-items in the partial sub-group, or 0
  llvm::Value *scratch = nullptr;
  llvm::Value *resumed_any = nullptr; // i1 in memory: whether this round resumed a sub-group
  // State of kernels with yields, in memory: whether a sub-group made progress in this round (i1) and in this call
  // (i1), the number of a sub-group that waits (i64) and the place where it waits (ptr), and the rounds of this call
  // and of all calls for the work-group (i64).
  llvm::Value *moved = nullptr, *moved_ever = nullptr, *waiting = nullptr, *waiting_at = nullptr, *rounds = nullptr;
  llvm::Value *all_rounds = nullptr;
  llvm::Value *suspension = nullptr; // the call's abi::Suspension, or null
  uint64_t slot_bytes = 0;
  llvm::SmallVector<llvm::CallInst *> calls; // the calls of lanes functions that are inlined at the end
};

} // namespace lanecl::vectorizer
