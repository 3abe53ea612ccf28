// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "work_group/work_group.h"

#include "analysis/lane_target.h"
#include "check/check_calls.h"
#include "kernel/debug_info.h"
#include "kernel/launch_abi.h"
#include "kernel/row_loops.h"
#include "pass_support/remarks.h"
#include "vectorizer/contract/abi.h"
#include "widen/widen.h"
#include "work_group/barriers.h"
#include "work_group/partner_exchange.h"
#include "work_group/suspensions.h"
#include "work_group/turns.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace lanecl::vectorizer {

namespace {

constexpr uint64_t kMostItemsTogether = uint64_t{1} << 30; // `active_lanes` has 32 bits

// k.lanes or k.lanes.partial.
struct Lanes {
  Function *enter = nullptr;
  Function *resume = nullptr;       // of a coroutine
  SmallVector<Function *, 8> turns; // of one that has turns: what to call in place of `resume`
  uint64_t private_bytes = 0;
  uint64_t frame_bytes = 0;
  Align frame_alignment{abi::kMemoryAlignment};
  std::optional<uint64_t> partner_flag; // see partner_exchange.h
  std::optional<SubGroupState> state;   // see suspensions.h

  explicit operator bool() const { return enter != nullptr; }
  bool suspends() const { return resume || !turns.empty(); }
  uint64_t slotBytes() const { return suspends() ? frameOffset(private_bytes) + frame_bytes : private_bytes; }
};

// After splitting, a coroutine returns the size and alignment of its frame as constants.
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
  for (BasicBlock &block : *lanes.enter)
    if (auto *ret = dyn_cast<ReturnInst>(block.getTerminator()); ret && lanes.suspends()) {
      auto *frame = cast<Constant>(ret->getReturnValue());
      lanes.frame_bytes = cast<ConstantInt>(frame->getAggregateElement(0u))->getZExtValue();
      lanes.frame_alignment =
          std::max(lanes.frame_alignment, Align(cast<ConstantInt>(frame->getAggregateElement(1u))->getZExtValue()));
    }
  return lanes;
}

class WorkGroupBuilder {
public:
  WorkGroupBuilder(Module &module, StringRef kernel, PassContext &context)
      : module(module), context(context), builder(module.getContext()), full(findLanes(module, kernel + kLanesSuffix)),
        partial(findLanes(module, kernel + kPartialSuffix)), width(context.launch.width) {
    create(kernel);
  }

  Function *run();

private:
  void create(StringRef kernel);
  void countSubGroups();
  void reserveScratch();
  void reportFrames();
  // body(index) returns how far the index goes on.
  void loop(Value *begin, Value *end, const char *name, function_ref<Value *(Value *)> body);
  void ifNotZero(Value *count, function_ref<void()> body);
  Value *groupsTogether();
  Value *slotOf(Value *sub_group);
  void enter(const Lanes &lanes, Value *sub_group, Value *active);
  void forEachSubGroup(function_ref<void(const Lanes &, Value *sub_group, Value *active)> body);
  void resumeInTurn();
  void resumeUntilDone();
  bool yields() const { return full.state || partial.state; }
  void ifTrue(Value *condition, const char *name, function_ref<void()> body);
  Value *stateField(Value *sub_group, uint64_t offset);
  Value *suspensionField(uint64_t offset);
  void goOnOrBegin(function_ref<void()> begin);
  void noteTurn(const Lanes &lanes, Value *sub_group);
  void resumeIfReady(const Lanes &lanes, Value *sub_group, Value *active);
  void releaseBarrier();
  void suspendGroup(BasicBlock *round);
  void resumeAndYield();
  Value *frameOf(const Lanes &lanes, Value *sub_group);
  SmallVector<Value *> argumentsFor(Value *sub_group, Value *active, Value *memory);
  void callResume(const Lanes &lanes, Function *companion, Value *sub_group, Value *active);
  void resume(const Lanes &lanes, Value *sub_group, Value *active);
  Value *partnerFlag(Value *sub_group);
  void exchangeWithPartner(const Lanes &lanes, Value *sub_group);
  void tellBegin();
  void tellEnd();
  void inlineLanes();

  Module &module;
  PassContext &context;
  IRBuilder<> builder;
  Lanes full, partial;
  unsigned width;
  Function *function = nullptr;
  Value *launch = nullptr, *worker = nullptr, *local_size = nullptr, *group_x = nullptr;
  Value *full_count = nullptr; // i64
  Value *full_items = nullptr; // i64: work-items of the full sub-groups that are entered at once, if a call takes rows
  Value *rest = nullptr;       // i64: work-items in the partial sub-group, or 0
  Value *scratch = nullptr;
  Value *resumed_any = nullptr; // i1 in memory: whether this round resumed a sub-group
  // With yields, in memory: whether a sub-group got on in this round (i1) or call (i1), who waits (i64) and where
  // (ptr), and how many rounds the call has run (i64).
  Value *moved = nullptr, *moved_ever = nullptr, *waiting = nullptr, *waiting_at = nullptr, *rounds = nullptr;
  Value *suspension = nullptr; // of the call, or null
  uint64_t slot_bytes = 0;
  SmallVector<CallInst *> calls;
};

void WorkGroupBuilder::create(StringRef kernel) {
  Type *ptr = builder.getPtrTy(), *i64 = builder.getInt64Ty();
  auto *type = FunctionType::get(builder.getVoidTy(), {ptr, ptr, ptr, i64, i64, i64, i64}, false);
  function = Function::Create(type, GlobalValue::ExternalLinkage, workGroupName(kernel, context.launch), module);
  static constexpr const char *kNames[] = {"launch", "worker", "local_size", "x_begin", "x_end", "y", "z"};
  for (Argument &argument : function->args()) {
    argument.setName(kNames[argument.getArgNo()]);
    argument.addAttr(Attribute::NoUndef);
    if (argument.getType()->isPointerTy())
      argument.addAttr(Attribute::NoAlias);
  }
  Function &lanes = *(full ? full : partial).enter;
  for (StringRef name : {"target-cpu", "target-features", "prefer-vector-width", "min-legal-vector-width"})
    if (Attribute attribute = lanes.getFnAttribute(name); attribute.isValid())
      function->addFnAttr(attribute);
  function->setDoesNotThrow();
  builder.SetInsertPoint(BasicBlock::Create(module.getContext(), "entry", function));
  if (DISubprogram *subprogram = makeArtificialSubprogram(lanes, function->getName())) {
    function->setSubprogram(subprogram);
    builder.SetCurrentDebugLocation(DILocation::get(module.getContext(), subprogram->getLine(), 0, subprogram));
  }
}

// All three values are constants when the class knows the size.
void WorkGroupBuilder::countSubGroups() {
  Value *items = builder.getInt64(1);
  for (unsigned dim = 0; dim < 3; ++dim) {
    const uint32_t known = context.launch.local_size[dim];
    Value *extent = known != 0 ? static_cast<Value *>(builder.getInt64(known))
                               : loadLaunchField(builder, builder.getInt64Ty(), local_size, 8 * dim, "local_size");
    items = builder.CreateMul(items, extent, "items", true, true);
  }
  full_count = builder.CreateUDiv(items, builder.getInt64(width), "full");
  rest = builder.CreateURem(items, builder.getInt64(width), "rest");
}

void WorkGroupBuilder::reserveScratch() {
  const Align alignment = std::max(full.frame_alignment, partial.frame_alignment);
  slot_bytes = alignTo(std::max(full.slotBytes(), partial.slotBytes()), alignment);
  const uint64_t slack = alignment.value() - abi::kMemoryAlignment;
  Value *memory = loadLaunchField(builder, builder.getPtrTy(), worker, offsetof(abi::WorkerMemory, scratch), "scratch");
  if (slack != 0) {
    memory = builder.CreateConstGEP1_64(builder.getInt8Ty(), memory, slack);
    memory = builder.CreateIntrinsic(Intrinsic::ptrmask, {memory->getType(), builder.getInt64Ty()},
                                     {memory, builder.getInt64(-alignment.value())});
  }
  scratch = memory;
  if (slot_bytes == 0)
    return;
  // Without barriers sub-groups run one after the other and share one slot.
  const bool suspends = full.suspends() || partial.suspends();
  auto *known_full = dyn_cast<ConstantInt>(full_count);
  auto *known_rest = dyn_cast<ConstantInt>(rest);
  if (!suspends) {
    context.facts.scratch_bytes = slot_bytes + slack;
  } else if (known_full && known_rest) {
    const uint64_t sub_groups = known_full->getZExtValue() + !known_rest->isZero();
    context.facts.scratch_bytes = sub_groups * slot_bytes + slack;
  } else {
    context.facts.scratch_per_sub_group = slot_bytes + slack;
  }
  if (full.partner_flag)
    context.facts.scratch_bytes += slot_bytes; // a last sub-group without a partner reads the slot behind its own
}

void WorkGroupBuilder::reportFrames() {
  std::string text = ("a sub-group's frame has " + Twine(slot_bytes) + " bytes").str();
  if (context.facts.scratch_bytes != 0)
    text += ", those of a work-group " + std::to_string(context.facts.scratch_bytes);
  addRemark(context, Remark::Kind::Barrier, *cast<Instruction>(launch), text);
}

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
  // A work-group's number may use all bits of size_t: no NSW.
  index->addIncoming(builder.CreateAdd(index, step, "", /*HasNUW=*/true), builder.GetInsertBlock());
  builder.CreateBr(head);
  builder.SetInsertPoint(after);
}

void WorkGroupBuilder::ifNotZero(Value *count, function_ref<void()> body) {
  LLVMContext &llvm = module.getContext();
  BasicBlock *inside = BasicBlock::Create(llvm, "partial", function);
  BasicBlock *after = BasicBlock::Create(llvm, "", function);
  builder.CreateCondBr(builder.CreateICmpNE(count, ConstantInt::get(count->getType(), 0)), inside, after);
  builder.SetInsertPoint(inside);
  body();
  builder.CreateBr(after);
  builder.SetInsertPoint(after);
}

Value *WorkGroupBuilder::slotOf(Value *sub_group) {
  if (!full.suspends() && !partial.suspends())
    return scratch;
  Value *offset = builder.CreateMul(sub_group, builder.getInt64(slot_bytes), "", true, true);
  return builder.CreateInBoundsGEP(builder.getInt8Ty(), scratch, offset, "slot");
}

void WorkGroupBuilder::forEachSubGroup(function_ref<void(const Lanes &, Value *, Value *)> body) {
  if (full && takesWholeRow(*full.enter))
    ifNotZero(full_count, [&] { body(full, builder.getInt64(0), full_items); });
  else if (full)
    loop(builder.getInt64(0), full_count, "sub_group", [&](Value *id) {
      body(full, id, builder.getInt64(width));
      return builder.getInt64(1);
    });
  if (partial)
    ifNotZero(rest, [&] { body(partial, full_count, rest); });
}

void WorkGroupBuilder::enter(const Lanes &lanes, Value *sub_group, Value *active) {
  if (&lanes == &full && full.partner_flag)
    builder.CreateStore(builder.getInt64(0), partnerFlag(sub_group));
  if (lanes.state)
    builder.CreateStore(builder.getInt64(SubGroupState::kReady), stateField(sub_group, lanes.state->waits));
  calls.push_back(builder.CreateCall(lanes.enter, argumentsFor(sub_group, active, slotOf(sub_group))));
  exchangeWithPartner(lanes, sub_group);
}

SmallVector<Value *> WorkGroupBuilder::argumentsFor(Value *sub_group, Value *active, Value *memory) {
  const auto narrow = [&](Value *number) { return builder.CreateTrunc(number, builder.getInt32Ty(), "", true, true); };
  return {launch,         worker, local_size, group_x, function->getArg(5), function->getArg(6), narrow(sub_group),
          narrow(active), memory};
}

Value *WorkGroupBuilder::frameOf(const Lanes &lanes, Value *sub_group) {
  return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), slotOf(sub_group), frameOffset(lanes.private_bytes),
                                            "frame");
}

void WorkGroupBuilder::callResume(const Lanes &lanes, Function *companion, Value *sub_group, Value *active) {
  Value *frame = frameOf(lanes, sub_group);
  SmallVector<Value *> arguments{frame};
  if (!context.debug)
    arguments = argumentsFor(sub_group, active, frame);
  CallInst *call = builder.CreateCall(companion, arguments);
  call->setCallingConv(companion->getCallingConv());
  if (!full.partner_flag) // the only call
    calls.push_back(call);
}

// How many groups from `group_x` on the lanes are entered for: those of the call, if they take whole rows of which no
// one ends with an incomplete sub-group. Else one.
Value *WorkGroupBuilder::groupsTogether() {
  if (!full || !takesWholeRow(*full.enter))
    return builder.getInt64(1);
  Value *groups = builder.getInt64(1), *row = builder.CreateMul(full_count, builder.getInt64(width));
  if (context.launch.rowAxis() == 0u) {
    Value *left = builder.CreateSub(function->getArg(4), group_x);
    Value *most = builder.CreateUDiv(builder.getInt64(kMostItemsTogether), builder.CreateAdd(row, builder.getInt64(1)));
    Value *together = builder.CreateBinaryIntrinsic(Intrinsic::umin, left, most);
    together = builder.CreateBinaryIntrinsic(Intrinsic::umax, together, groups);
    groups = builder.CreateSelect(builder.CreateICmpEQ(rest, builder.getInt64(0)), together, groups, "groups");
  }
  full_items = builder.CreateMul(row, groups, "full_items");
  return groups;
}

// The frame's first word is the function that resumes it, or null.
void WorkGroupBuilder::resume(const Lanes &lanes, Value *sub_group, Value *active) {
  if (!lanes.resume)
    return;
  Value *target =
      builder.CreateAlignedLoad(builder.getPtrTy(), frameOf(lanes, sub_group), lanes.frame_alignment, "suspended");
  ifNotZero(builder.CreatePtrToInt(target, builder.getInt64Ty()), [&] {
    if (lanes.state)
      return resumeIfReady(lanes, sub_group, active);
    callResume(lanes, lanes.resume, sub_group, active);
    builder.CreateStore(builder.getTrue(), resumed_any);
  });
}

Value *WorkGroupBuilder::partnerFlag(Value *sub_group) {
  return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), slotOf(sub_group), *full.partner_flag, "waits");
}

// Emitted after the second of two partners: resumes both as long as each waits for the other, without other sub-groups.
// Afterwards both are at a work-group barrier or done.
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

// All sub-groups go from one barrier to the next, each of which they have in common.
void WorkGroupBuilder::resumeInTurn() {
  for (size_t turn = 0; turn < (full ? full : partial).turns.size(); ++turn)
    forEachSubGroup([&](const Lanes &lanes, Value *sub_group, Value *active) {
      callResume(lanes, lanes.turns[turn], sub_group, active);
    });
}

// One round resumes each sub-group once; all of them are then at the next barrier.
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

void WorkGroupBuilder::ifTrue(Value *condition, const char *name, function_ref<void()> body) {
  BasicBlock *inside = BasicBlock::Create(module.getContext(), name, function);
  BasicBlock *after = BasicBlock::Create(module.getContext(), "", function);
  builder.CreateCondBr(condition, inside, after);
  builder.SetInsertPoint(inside);
  body();
  builder.CreateBr(after);
  builder.SetInsertPoint(after);
}

Value *WorkGroupBuilder::stateField(Value *sub_group, uint64_t offset) {
  return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), slotOf(sub_group), offset, "state");
}

Value *WorkGroupBuilder::suspensionField(uint64_t offset) {
  return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), suspension, offset, "suspension");
}

// A suspended work-group goes on with its rounds.
void WorkGroupBuilder::goOnOrBegin(function_ref<void()> begin) {
  LLVMContext &llvm = module.getContext();
  BasicBlock *ask = BasicBlock::Create(llvm, "ask", function), *first = BasicBlock::Create(llvm, "first", function);
  BasicBlock *again = BasicBlock::Create(llvm, "again", function), *then = BasicBlock::Create(llvm, "then", function);
  suspension =
      loadLaunchField(builder, builder.getPtrTy(), worker, offsetof(abi::WorkerMemory, suspension), "suspension");
  builder.CreateStore(builder.getInt64(0), rounds);
  builder.CreateCondBr(builder.CreateIsNull(suspension), first, ask);
  builder.SetInsertPoint(ask);
  Value *waits = builder.CreateLoad(builder.getInt64Ty(), suspensionField(offsetof(abi::Suspension, waits)));
  builder.CreateCondBr(builder.CreateIsNull(waits), first, again);
  builder.SetInsertPoint(again);
  builder.CreateStore(builder.getInt64(0), suspensionField(offsetof(abi::Suspension, waits)));
  builder.CreateStore(builder.getFalse(), moved_ever);
  builder.CreateBr(then);
  builder.SetInsertPoint(first);
  builder.CreateStore(builder.getTrue(), moved_ever);
  begin();
  builder.CreateBr(then);
  builder.SetInsertPoint(then);
}

// Behind a sub-group's turn: it has got on, unless it has come back to the yield where it was.
void WorkGroupBuilder::noteTurn(const Lanes &lanes, Value *sub_group) {
  Value *waits = builder.CreateLoad(builder.getInt64Ty(), stateField(sub_group, lanes.state->waits));
  Value *is_back = builder.CreateICmpEQ(waits, builder.getInt64(SubGroupState::kYieldedMore));
  builder.CreateStore(builder.CreateOr(builder.CreateLoad(builder.getInt1Ty(), moved), builder.CreateNot(is_back)),
                      moved);
  ifTrue(is_back, "waiting", [&] {
    builder.CreateStore(sub_group, waiting);
    builder.CreateStore(builder.CreateLoad(builder.getPtrTy(), stateField(sub_group, lanes.state->place)), waiting_at);
  });
}

void WorkGroupBuilder::resumeIfReady(const Lanes &lanes, Value *sub_group, Value *active) {
  Value *state = stateField(sub_group, lanes.state->waits);
  Value *waits = builder.CreateLoad(builder.getInt64Ty(), state);
  Value *is_held = builder.CreateOr(builder.CreateICmpEQ(waits, builder.getInt64(SubGroupState::kAtBarrier)),
                                    builder.CreateICmpEQ(waits, builder.getInt64(SubGroupState::kAtPartner)));
  ifTrue(builder.CreateNot(is_held), "ready", [&] {
    builder.CreateStore(builder.getInt64(SubGroupState::kReady), state);
    callResume(lanes, lanes.resume, sub_group, active);
    builder.CreateStore(builder.getTrue(), resumed_any);
    noteTurn(lanes, sub_group);
  });
}

// All that are not done have come to the barrier.
void WorkGroupBuilder::releaseBarrier() {
  forEachSubGroup([&](const Lanes &lanes, Value *sub_group, Value *) {
    Value *target =
        builder.CreateAlignedLoad(builder.getPtrTy(), frameOf(lanes, sub_group), lanes.frame_alignment, "suspended");
    ifTrue(builder.CreateIsNotNull(target), "release", [&] {
      builder.CreateStore(builder.getInt64(SubGroupState::kReady), stateField(sub_group, lanes.state->waits));
      builder.CreateStore(builder.getTrue(), resumed_any);
    });
  });
}

// Returns, so that the caller can go on with other work-groups; without such a caller waits.
void WorkGroupBuilder::suspendGroup(BasicBlock *round) {
  BasicBlock *wait = BasicBlock::Create(module.getContext(), "wait", function);
  BasicBlock *leave = BasicBlock::Create(module.getContext(), "leave", function);
  builder.CreateCondBr(builder.CreateIsNull(suspension), wait, leave);
  builder.SetInsertPoint(wait);
  builder.CreateIntrinsic(Intrinsic::x86_sse2_pause, ArrayRef<Type *>(), ArrayRef<Value *>());
  builder.CreateBr(round);
  builder.SetInsertPoint(leave);
  const auto tell = [&](Value *value, uint64_t offset) { builder.CreateStore(value, suspensionField(offset)); };
  Value *got_on = builder.CreateLoad(builder.getInt1Ty(), moved_ever);
  tell(builder.getInt64(1), offsetof(abi::Suspension, waits));
  tell(builder.CreateZExt(got_on, builder.getInt64Ty()), offsetof(abi::Suspension, moved));
  tell(builder.CreateLoad(builder.getInt64Ty(), waiting), offsetof(abi::Suspension, sub_group));
  tell(builder.CreateLoad(builder.getPtrTy(), waiting_at), offsetof(abi::Suspension, place));
  builder.CreateRetVoid();
}

// A round resumes each sub-group that is not at a barrier. If there is none, the barrier is passed. A work-group whose
// sub-groups only wait is suspended, and one that has run for long, so that it may be others it works for.
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

// Debuggers show the kernel and the function that runs its sub-groups as two.
void WorkGroupBuilder::inlineLanes() {
  if (context.debug)
    return;
  for (CallInst *call : calls) {
    Function *callee = call->getCalledFunction();
    InlineFunctionInfo info;
    if (callee->isDeclaration() || !InlineFunction(*call, info).isSuccess())
      continue;
    callee->removeDeadConstantUsers();
    if (callee->use_empty())
      callee->eraseFromParent();
  }
}

// Check mode: nobody has written the local memory.
void WorkGroupBuilder::tellBegin() {
  if (module.getFunction("lanecl.check.shadow"))
    builder.CreateCall(module.getOrInsertFunction(kCheckBegun, builder.getVoidTy()));
}

// Check mode: who has not arrived by now never will.
void WorkGroupBuilder::tellEnd() {
  if (module.getFunction(kCheckReached) || module.getFunction(kCheckAccessed))
    builder.CreateCall(module.getOrInsertFunction(kCheckDone, builder.getVoidTy(), builder.getInt64Ty()), {group_x});
}

Function *WorkGroupBuilder::run() {
  const auto asConstant = [&](unsigned parameter) {
    return builder.CreateAddrSpaceCast(function->getArg(parameter), builder.getPtrTy(kConstant));
  };
  launch = asConstant(0), worker = asConstant(1), local_size = asConstant(2);
  countSubGroups();
  reserveScratch();
  resolveSlotBytes(module, slot_bytes);
  if (full.suspends() || partial.suspends())
    reportFrames();
  if (full.resume || partial.resume) {
    resumed_any = builder.CreateAlloca(builder.getInt1Ty(), nullptr, "resumed");
  }
  if (yields()) {
    moved = builder.CreateAlloca(builder.getInt1Ty(), nullptr, "moved");
    moved_ever = builder.CreateAlloca(builder.getInt1Ty(), nullptr, "moved.ever");
    waiting = builder.CreateAlloca(builder.getInt64Ty(), nullptr, "waiting");
    waiting_at = builder.CreateAlloca(builder.getPtrTy(), nullptr, "waiting.at");
    rounds = builder.CreateAlloca(builder.getInt64Ty(), nullptr, "rounds");
    builder.CreateStore(builder.getInt64(0), waiting);
    builder.CreateStore(ConstantPointerNull::get(builder.getPtrTy()), waiting_at);
  }
  loop(function->getArg(3), function->getArg(4), "group", [&](Value *x) {
    group_x = x;
    Value *groups = groupsTogether();
    const auto begin = [&] {
      tellBegin();
      forEachSubGroup([&](const Lanes &lanes, Value *id, Value *active) { enter(lanes, id, active); });
    };
    if (yields())
      goOnOrBegin(begin);
    else
      begin();
    if (yields())
      resumeAndYield();
    else if (full.resume || partial.resume)
      resumeUntilDone();
    else
      resumeInTurn();
    tellEnd();
    return groups;
  });
  builder.CreateRetVoid();
  inlineLanes();
  return function;
}

} // namespace

std::string workGroupName(StringRef kernel, const LaunchClass &launch) {
  const auto &size = launch.local_size;
  if (const std::optional<unsigned> axis = launch.rowAxis())
    return formatv("{0}.w{1}.row.{2}", kernel, launch.width, "xyz"[*axis]);
  if (size[0] == 0 || size[1] == 0 || size[2] == 0)
    return formatv("{0}.w{1}.any", kernel, launch.width);
  return formatv("{0}.w{1}.{2}x{3}x{4}", kernel, launch.width, size[0], size[1], size[2]);
}

PreservedAnalyses WorkGroupPass::run(Module &module, ModuleAnalysisManager &analyses) {
  SmallVector<std::string> kernels;
  for (Function &function : module)
    for (StringRef suffix : {kPartialSuffix, kLanesSuffix})
      if (StringRef name = function.getName(); !function.isDeclaration() && name.consume_back(suffix)) {
        if (!is_contained(kernels, name) && (context.kernel.empty() || name == context.kernel))
          kernels.push_back(name.str());
        break;
      }
  analyses.invalidate(module, PreservedAnalyses::none());
  for (const std::string &kernel : kernels)
    WorkGroupBuilder(module, kernel, context).run();
  return PreservedAnalyses::none();
}

} // namespace lanecl::vectorizer
