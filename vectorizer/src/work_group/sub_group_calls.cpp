// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Part of WorkGroupBuilder: calls the lanes functions of sub-groups, up to the first barrier and from barrier to
// barrier.

#include "kernel/rows/row_loops.h"
#include "widen/widen.h"
#include "work_group/barriers.h"
#include "work_group/partner_exchange.h"
#include "work_group/turns.h"
#include "work_group/work_group_builder.h"

#include <cassert>

using namespace llvm;

namespace lanecl::vectorizer {

// After splitting, a coroutine returns the size and alignment of its frame as constants, which are read here.
Lanes findLanes(Module &module, const Twine &name) {
  Lanes lanes;
  lanes.enter = module.getFunction(name.str());
  if (!lanes.enter)
    return lanes;
  lanes.private_bytes = privateBytes(*lanes.enter);
  lanes.partner_flag = partnerFlagOffset(*lanes.enter);
  lanes.state = subGroupState(*lanes.enter);
  lanes.resume = module.getFunction((name + ".resume").str());
  lanes.turns = turnsOf(*lanes.enter);
  assert((lanes.resume == nullptr || lanes.turns.empty()) && "turns replace the companion");
  for (BasicBlock &block : *lanes.enter)
    if (auto *ret = dyn_cast<ReturnInst>(block.getTerminator()); ret && lanes.suspends()) {
      auto *frame = cast<Constant>(ret->getReturnValue());
      lanes.frame_bytes = cast<ConstantInt>(frame->getAggregateElement(0u))->getZExtValue();
      lanes.frame_alignment =
          std::max(lanes.frame_alignment, Align(cast<ConstantInt>(frame->getAggregateElement(1u))->getZExtValue()));
    }
  return lanes;
}

// Emits a loop from `begin` to before `end`, which the body advances by the step that it returns.
void WorkGroupBuilder::loop(Value *begin, Value *end, const char *name, function_ref<Value *(Value *)> body) {
  LLVMContext &llvm = module.getContext();
  BasicBlock *before = builder.GetInsertBlock();
  BasicBlock *head = BasicBlock::Create(llvm, Twine(name) + ".loop", function);
  BasicBlock *inside = BasicBlock::Create(llvm, Twine(name) + ".body", function);
  BasicBlock *after = BasicBlock::Create(llvm, Twine(name) + ".end", function);
  builder.CreateBr(head);
  builder.SetInsertPoint(head);
  PHINode *index = builder.CreatePHI(builder.getInt64Ty(), 2, name);
  index->addIncoming(begin, before);
  builder.CreateCondBr(builder.CreateICmpULT(index, end), inside, after);
  builder.SetInsertPoint(inside);
  Value *step = body(index);
  // The number of a work-group may use all bits of size_t, so the addition has no NSW.
  index->addIncoming(builder.CreateAdd(index, step, "", /*HasNUW=*/true), builder.GetInsertBlock());
  builder.CreateBr(head);
  builder.SetInsertPoint(after);
}

void WorkGroupBuilder::ifTrue(Value *condition, const char *name, function_ref<void()> body) {
  BasicBlock *inside = BasicBlock::Create(module.getContext(), name, function);
  BasicBlock *after = BasicBlock::Create(module.getContext(), "", function);
  builder.CreateCondBr(condition, inside, after);
  builder.SetInsertPoint(inside);
  body();
  builder.CreateBr(after);
  builder.SetInsertPoint(after);
}

// Returns the address of the sub-group's scratch memory.
Value *WorkGroupBuilder::slotOf(Value *sub_group) {
  if (!full.suspends() && !partial.suspends())
    return scratch;
  assert(slot_bytes != 0 && "each suspended sub-group has a slot of its own");
  Value *offset = builder.CreateMul(sub_group, builder.getInt64(slot_bytes), "", true, true);
  return builder.CreateInBoundsGEP(builder.getInt8Ty(), scratch, offset, "slot");
}

// Emits the loop over the full sub-groups, and a branch for the partial one; or one loop over all of them.
void WorkGroupBuilder::forEachSubGroup(function_ref<void(const Lanes &, Value *, Value *)> body) {
  assert((full || partial) && (partial || !subGroupKinds(context.launch).partial) &&
         "widen makes what the class needs");
  if (!full && subGroupKinds(context.launch).full) {
    Value *all = builder.CreateAdd(full_count, builder.CreateZExt(builder.CreateIsNotNull(rest), builder.getInt64Ty()));
    loop(builder.getInt64(0), all, "sub_group", [&](Value *id) {
      Value *left = builder.CreateSub(items, builder.CreateMul(id, builder.getInt64(width)));
      body(partial, id, builder.CreateBinaryIntrinsic(Intrinsic::umin, left, builder.getInt64(width)));
      return builder.getInt64(1);
    });
    return;
  }
  if (full && takesWholeRow(*full.enter))
    ifTrue(builder.CreateIsNotNull(full_count), "full", [&] { body(full, builder.getInt64(0), full_items); });
  else if (full)
    loop(builder.getInt64(0), full_count, "sub_group", [&](Value *id) {
      body(full, id, builder.getInt64(width));
      return builder.getInt64(1);
    });
  if (partial)
    ifTrue(builder.CreateIsNotNull(rest), "partial", [&] { body(partial, full_count, rest); });
}

// Starts a sub-group, which runs up to its first barrier.
void WorkGroupBuilder::enter(const Lanes &lanes, Value *sub_group, Value *active) {
  if (&lanes == &full && full.partner_flag)
    builder.CreateStore(builder.getInt64(0), partnerFlag(sub_group));
  if (lanes.state)
    builder.CreateStore(builder.getInt64(SubGroupState::kReady), stateField(sub_group, lanes.state->waits));
  calls.push_back(builder.CreateCall(lanes.enter, argumentsFor(sub_group, active, slotOf(sub_group))));
  exchangeWithPartner(lanes, sub_group);
}

// Returns the arguments of a lanes function; `memory` is its scratch memory or its frame.
SmallVector<Value *> WorkGroupBuilder::argumentsFor(Value *sub_group, Value *active, Value *memory) {
  const auto narrow = [&](Value *number) { return builder.CreateTrunc(number, builder.getInt32Ty(), "", true, true); };
  return {launch,         worker, local_size, group_x, function->getArg(5), function->getArg(6), narrow(sub_group),
          narrow(active), memory};
}

Value *WorkGroupBuilder::frameOf(const Lanes &lanes, Value *sub_group) {
  assert(lanes.suspends() && "other functions have no frame");
  return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), slotOf(sub_group), frameOffset(lanes.private_bytes),
                                            "frame");
}

// Calls the companion, or the turn, that continues a sub-group.
void WorkGroupBuilder::callResume(const Lanes &lanes, Function *companion, Value *sub_group, Value *active) {
  Value *frame = frameOf(lanes, sub_group);
  SmallVector<Value *> arguments{frame};
  if (!context.debug)
    arguments = argumentsFor(sub_group, active, frame);
  assert(companion->arg_size() == arguments.size() && "the companion has the parameters of the coroutine, or one");
  CallInst *call = builder.CreateCall(companion, arguments);
  call->setCallingConv(companion->getCallingConv());
  if (!full.partner_flag) // only a single call is inlined; for partners there are several
    calls.push_back(call);
}

// Returns whether the sub-group is not done: the frame's first word is the function that resumes it, or null.
Value *WorkGroupBuilder::suspended(const Lanes &lanes, Value *sub_group) {
  Value *target =
      builder.CreateAlignedLoad(builder.getPtrTy(), frameOf(lanes, sub_group), lanes.frame_alignment, "suspended");
  return builder.CreateIsNotNull(target);
}

// Resumes a sub-group if it is not done.
void WorkGroupBuilder::resume(const Lanes &lanes, Value *sub_group, Value *active) {
  if (!lanes.resume)
    return;
  ifTrue(suspended(lanes, sub_group), "resume", [&] {
    if (lanes.state)
      return resumeIfReady(lanes, sub_group, active);
    callResume(lanes, lanes.resume, sub_group, active);
    builder.CreateStore(builder.getTrue(), resumed_any);
  });
}

Value *WorkGroupBuilder::partnerFlag(Value *sub_group) {
  return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), slotOf(sub_group), *full.partner_flag, "waits");
}

// Emitted after the second of two partners: resumes both as long as each waits for the other, without involving other
// sub-groups. Afterwards both are at a work-group barrier or done.
void WorkGroupBuilder::exchangeWithPartner(const Lanes &lanes, Value *sub_group) {
  if (&lanes != &full || !full.partner_flag || !full.resume)
    return; // an incomplete sub-group has no partner
  LLVMContext &llvm = module.getContext();
  BasicBlock *test = BasicBlock::Create(llvm, "partners", function);
  BasicBlock *both = BasicBlock::Create(llvm, "partners.wait", function);
  BasicBlock *after = BasicBlock::Create(llvm, "partners.end", function);
  builder.CreateCondBr(builder.CreateTrunc(sub_group, builder.getInt1Ty()), test, after);
  builder.SetInsertPoint(test);
  Value *first = builder.CreateSub(sub_group, builder.getInt64(1));
  Value *waiting = builder.CreateAnd(builder.CreateLoad(builder.getInt64Ty(), partnerFlag(first)),
                                     builder.CreateLoad(builder.getInt64Ty(), partnerFlag(sub_group)));
  builder.CreateCondBr(builder.CreateICmpNE(waiting, builder.getInt64(0)), both, after);
  builder.SetInsertPoint(both);
  if (lanes.state)
    for (Value *partner : {first, sub_group})
      builder.CreateStore(builder.getInt64(SubGroupState::kReady), stateField(partner, lanes.state->waits));
  resume(lanes, first, builder.getInt64(width));
  resume(lanes, sub_group, builder.getInt64(width));
  builder.CreateBr(test);
  builder.SetInsertPoint(after);
}

// Runs all sub-groups from one barrier to the next, turn by turn.
void WorkGroupBuilder::resumeInTurn() {
  assert((!full || !partial || full.turns.size() == partial.turns.size()) &&
         "all sub-groups meet at the same barriers");
  for (size_t turn = 0; turn < (full ? full : partial).turns.size(); ++turn)
    forEachSubGroup([&](const Lanes &lanes, Value *sub_group, Value *active) {
      callResume(lanes, lanes.turns[turn], sub_group, active);
    });
}

// Resumes sub-groups in rounds until all are done. A round resumes each sub-group once; all of them are at the next
// barrier afterwards.
void WorkGroupBuilder::resumeUntilDone() {
  BasicBlock *round = BasicBlock::Create(module.getContext(), "round", function);
  BasicBlock *done = BasicBlock::Create(module.getContext(), "done", function);
  builder.CreateBr(round);
  builder.SetInsertPoint(round);
  builder.CreateStore(builder.getFalse(), resumed_any);
  forEachSubGroup([&](const Lanes &lanes, Value *sub_group, Value *active) {
    resume(lanes, sub_group, active);
    exchangeWithPartner(lanes, sub_group);
  });
  builder.CreateCondBr(builder.CreateLoad(builder.getInt1Ty(), resumed_any), round, done);
  builder.SetInsertPoint(done);
}

} // namespace lanecl::vectorizer
