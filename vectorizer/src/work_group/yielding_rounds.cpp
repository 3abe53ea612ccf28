// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Part of WorkGroupBuilder, for kernels with yields: sub-groups that wait in loops for others go on in rounds. A
// work-group whose sub-groups only wait is suspended: the work-group function returns and is called again later.

#include "work_group/work_group_builder.h"

#include "llvm/IR/IntrinsicsX86.h"

#include <cassert>

using namespace llvm;

namespace lanecl::vectorizer {

// Returns the address of a field of a sub-group's state.
Value *WorkGroupBuilder::stateField(Value *sub_group, uint64_t offset) {
  return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), slotOf(sub_group), offset, "state");
}

// Returns the address of a field of the work-group's suspension.
Value *WorkGroupBuilder::suspensionField(uint64_t offset) {
  assert(suspension != nullptr && "goOnOrBegin() has loaded the address");
  return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), suspension, offset, "suspension");
}

// Continues a suspended work-group with its rounds, or starts a new one.
void WorkGroupBuilder::goOnOrBegin(function_ref<void()> begin) {
  LLVMContext &llvm = module.getContext();
  BasicBlock *ask = BasicBlock::Create(llvm, "ask", function), *first = BasicBlock::Create(llvm, "first", function);
  BasicBlock *again = BasicBlock::Create(llvm, "again", function), *then = BasicBlock::Create(llvm, "then", function);
  suspension =
      loadLaunchField(builder, builder.getPtrTy(), worker, offsetof(abi::WorkerMemory, suspension), "suspension");
  builder.CreateStore(builder.getInt64(0), rounds);
  builder.CreateStore(builder.getInt64(0), all_rounds);
  builder.CreateCondBr(builder.CreateIsNull(suspension), first, ask);
  builder.SetInsertPoint(ask);
  Value *waits = builder.CreateLoad(builder.getInt64Ty(), suspensionField(offsetof(abi::Suspension, waits)));
  builder.CreateCondBr(builder.CreateIsNull(waits), first, again);
  builder.SetInsertPoint(again);
  builder.CreateStore(builder.getInt64(0), suspensionField(offsetof(abi::Suspension, waits)));
  builder.CreateStore(builder.getFalse(), moved_ever);
  builder.CreateStore(builder.CreateLoad(builder.getInt64Ty(), suspensionField(offsetof(abi::Suspension, rounds))),
                      all_rounds);
  builder.CreateBr(then);
  builder.SetInsertPoint(first);
  builder.CreateStore(builder.getTrue(), moved_ever);
  begin();
  builder.CreateBr(then);
  builder.SetInsertPoint(then);
}

// Returns whether the sub-group's turn has led back to the yield at which it was before.
Value *WorkGroupBuilder::isBack(const Lanes &lanes, Value *sub_group) {
  Value *waits = builder.CreateLoad(builder.getInt64Ty(), stateField(sub_group, lanes.state->waits));
  return builder.CreateICmpEQ(waits, builder.getInt64(SubGroupState::kYieldedMore));
}

// Notes the result of a sub-group's turn: it made progress unless it has come back to the same yield.
void WorkGroupBuilder::noteTurn(const Lanes &lanes, Value *sub_group) {
  Value *is_back = isBack(lanes, sub_group);
  builder.CreateStore(builder.CreateOr(builder.CreateLoad(builder.getInt1Ty(), moved), builder.CreateNot(is_back)),
                      moved);
  ifTrue(is_back, "waiting", [&] {
    builder.CreateStore(sub_group, waiting);
    builder.CreateStore(builder.CreateLoad(builder.getPtrTy(), stateField(sub_group, lanes.state->place)), waiting_at);
  });
}

// Returns how many turns of its waiting loop a sub-group makes in this round before the next sub-group runs: one to
// four, a pseudo-random number for each round and sub-group. A fixed number would let some programs hang:
//   - With one turn, a compare-and-exchange that expects the value found in the turn before always fails if another
//     sub-group changes the value in each of its own turns, for example while it tries to take a lock by an increment.
//   - With two turns, a sub-group that takes a lock and gives it back in the next turn may hold it whenever another
//     sub-group looks.
Value *WorkGroupBuilder::turnsOf(Value *sub_group) {
  constexpr uint64_t kRound = 0x9e3779b97f4a7c15, kSubGroup = 0x94d049bb133111eb, kMix = 0xbf58476d1ce4e5b9; // odd
  Value *round = builder.CreateMul(builder.CreateLoad(builder.getInt64Ty(), all_rounds), builder.getInt64(kRound));
  Value *number = builder.CreateAdd(round, builder.CreateMul(sub_group, builder.getInt64(kSubGroup)));
  Value *mixed = builder.CreateMul(builder.CreateXor(number, builder.CreateLShr(number, 30)), builder.getInt64(kMix));
  return builder.CreateAdd(builder.CreateLShr(mixed, 62), builder.getInt64(1), "turns");
}

// Resumes a sub-group until it has made its turns in this round or has left its waiting loop.
void WorkGroupBuilder::takeTurns(const Lanes &lanes, Value *sub_group, Value *active) {
  assert(lanes.resume != nullptr && lanes.state && "kernels with yields are not split into turns");
  Value *turns = turnsOf(sub_group);
  BasicBlock *before = builder.GetInsertBlock();
  BasicBlock *turn = BasicBlock::Create(module.getContext(), "turn", function);
  BasicBlock *after = BasicBlock::Create(module.getContext(), "turns.end", function);
  builder.CreateBr(turn);
  builder.SetInsertPoint(turn);
  PHINode *left = builder.CreatePHI(builder.getInt64Ty(), 2, "turns_left");
  left->addIncoming(turns, before);
  builder.CreateStore(builder.getInt64(SubGroupState::kReady), stateField(sub_group, lanes.state->waits));
  callResume(lanes, lanes.resume, sub_group, active);
  Value *rest = builder.CreateSub(left, builder.getInt64(1));
  left->addIncoming(rest, builder.GetInsertBlock());
  builder.CreateCondBr(builder.CreateAnd(isBack(lanes, sub_group), builder.CreateIsNotNull(rest)), turn, after);
  builder.SetInsertPoint(after);
}

// Resumes a sub-group unless it waits at a barrier.
void WorkGroupBuilder::resumeIfReady(const Lanes &lanes, Value *sub_group, Value *active) {
  Value *waits = builder.CreateLoad(builder.getInt64Ty(), stateField(sub_group, lanes.state->waits));
  Value *is_held = builder.CreateOr(builder.CreateICmpEQ(waits, builder.getInt64(SubGroupState::kAtBarrier)),
                                    builder.CreateICmpEQ(waits, builder.getInt64(SubGroupState::kAtPartner)));
  ifTrue(builder.CreateNot(is_held), "ready", [&] {
    takeTurns(lanes, sub_group, active);
    builder.CreateStore(builder.getTrue(), resumed_any);
    noteTurn(lanes, sub_group);
  });
}

// Releases the barrier: all sub-groups that are not done have come to it.
void WorkGroupBuilder::releaseBarrier() {
  forEachSubGroup([&](const Lanes &lanes, Value *sub_group, Value *) {
    assert(lanes.state && "all sub-groups of a kernel with yields have a state");
    ifTrue(suspended(lanes, sub_group), "release", [&] {
      builder.CreateStore(builder.getInt64(SubGroupState::kReady), stateField(sub_group, lanes.state->waits));
      builder.CreateStore(builder.getTrue(), resumed_any);
    });
  });
}

// Suspends the work-group: returns, so that the caller can go on with other work-groups. If the caller does not take
// suspended work-groups, pauses and starts the next round instead.
void WorkGroupBuilder::suspendGroup(BasicBlock *round) {
  BasicBlock *wait = BasicBlock::Create(module.getContext(), "wait", function);
  BasicBlock *leave = BasicBlock::Create(module.getContext(), "leave", function);
  builder.CreateCondBr(builder.CreateIsNull(suspension), wait, leave);
  builder.SetInsertPoint(wait);
  builder.CreateIntrinsic(Intrinsic::x86_sse2_pause, ArrayRef<Type *>(), ArrayRef<Value *>());
  builder.CreateBr(round);
  builder.SetInsertPoint(leave);
  // Reveals the caller why the work-group waits.
  const auto tell = [&](Value *value, uint64_t offset) { builder.CreateStore(value, suspensionField(offset)); };
  Value *got_on = builder.CreateLoad(builder.getInt1Ty(), moved_ever);
  tell(builder.getInt64(1), offsetof(abi::Suspension, waits));
  tell(builder.CreateZExt(got_on, builder.getInt64Ty()), offsetof(abi::Suspension, moved));
  tell(builder.CreateLoad(builder.getInt64Ty(), waiting), offsetof(abi::Suspension, sub_group));
  tell(builder.CreateLoad(builder.getInt64Ty(), all_rounds), offsetof(abi::Suspension, rounds));
  tell(builder.CreateLoad(builder.getPtrTy(), waiting_at), offsetof(abi::Suspension, place));
  builder.CreateRetVoid();
}

// Runs rounds until all sub-groups are done. A round resumes each sub-group that is not at a barrier. If there is none,
// the barrier is released. A work-group whose sub-groups only wait is suspended. So is one that has run many rounds in
// this call, because the work-groups that it waits for may need the thread.
void WorkGroupBuilder::resumeAndYield() {
  constexpr uint64_t kMostRounds = 256;
  const auto block = [&](const char *name) { return BasicBlock::Create(module.getContext(), name, function); };
  BasicBlock *round = block("round"), *met = block("met"), *went = block("went"), *rest = block("rest");
  BasicBlock *done = block("done");
  const auto flag = [&](Value *place) { return builder.CreateLoad(builder.getInt1Ty(), place); };
  builder.CreateBr(round);
  builder.SetInsertPoint(round);
  builder.CreateStore(builder.getFalse(), resumed_any);
  builder.CreateStore(builder.getFalse(), moved);
  Value *number = builder.CreateAdd(builder.CreateLoad(builder.getInt64Ty(), rounds), builder.getInt64(1));
  builder.CreateStore(number, rounds);
  builder.CreateStore(builder.CreateAdd(builder.CreateLoad(builder.getInt64Ty(), all_rounds), builder.getInt64(1)),
                      all_rounds);
  forEachSubGroup([&](const Lanes &lanes, Value *sub_group, Value *active) {
    resume(lanes, sub_group, active);
    exchangeWithPartner(lanes, sub_group);
  });
  builder.CreateCondBr(flag(resumed_any), went, met);
  builder.SetInsertPoint(met);
  releaseBarrier();
  builder.CreateCondBr(flag(resumed_any), round, done);
  builder.SetInsertPoint(went);
  Value *got_on = flag(moved);
  builder.CreateStore(builder.CreateOr(flag(moved_ever), got_on), moved_ever);
  Value *goes_on = builder.CreateAnd(got_on, builder.CreateICmpULT(number, builder.getInt64(kMostRounds)));
  builder.CreateCondBr(goes_on, round, rest);
  builder.SetInsertPoint(rest);
  suspendGroup(round);
  builder.SetInsertPoint(done);
}

} // namespace lanecl::vectorizer
