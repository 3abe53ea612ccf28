// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "work_group/work_group.h"

#include "analysis/lane_target.h"
#include "check/check_calls.h"
#include "kernel/import/debug_info.h"
#include "kernel/rows/row_loops.h"
#include "pass_support/remarks.h"
#include "work_group/barriers.h"
#include "work_group/partner_exchange.h"
#include "work_group/work_group_builder.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <cassert>

using namespace llvm;

namespace lanecl::vectorizer {

constexpr uint64_t kMostItemsTogether = uint64_t{1} << 30; // `active_lanes` has 32 bits

// Creates the function with the signature of abi::WorkGroupFunction, for the same processor as the lanes.
void WorkGroupBuilder::create(StringRef kernel) {
  assert((full || partial) && "there are lanes to run");
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

// Emits the numbers of full sub-groups and of work-items in the partial one. Both are constants if the class knows the
// size.
void WorkGroupBuilder::countSubGroups() {
  items = builder.getInt64(1);
  for (unsigned dim = 0; dim < 3; ++dim) {
    const uint32_t known = context.launch.local_size[dim];
    Value *extent = known != 0 ? static_cast<Value *>(builder.getInt64(known))
                               : loadLaunchField(builder, builder.getInt64Ty(), local_size, 8 * dim, "local_size");
    items = builder.CreateMul(items, extent, "items", true, true);
  }
  full_count = builder.CreateUDiv(items, builder.getInt64(width), "full");
  rest = builder.CreateURem(items, builder.getInt64(width), "rest");
}

// Computes the size of the sub-groups' scratch slots and where they start, and notes how much memory a work-group
// needs.
void WorkGroupBuilder::reserveScratch() {
  const Align alignment = std::max(full.frame_alignment, partial.frame_alignment);
  assert(alignment.value() >= abi::kMemoryAlignment && "the memory's alignment is the least of all");
  slot_bytes = alignTo(std::max(full.slotBytes(), partial.slotBytes()), alignment);
  // Scratch memory may be less aligned than a frame, so padding is reserved.
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
    context.facts.scratch_bytes += slot_bytes; // the last sub-group may have no partner; it reads the slot past its own
}

// Adds the size of frames to the report.
void WorkGroupBuilder::reportFrames() {
  std::string text = ("a sub-group's frame takes " + Twine(slot_bytes) + " bytes").str();
  if (context.facts.scratch_bytes != 0)
    text += ", those of a work-group take " + std::to_string(context.facts.scratch_bytes);
  assert(isa<Instruction>(launch) && "the report takes the function's place from an instruction");
  addRemark(context, Remark::Kind::Barrier, *cast<Instruction>(launch), text);
}

// Returns for how many work-groups from `group_x` on the lanes are entered at once. If they take whole rows and no row
// ends with an incomplete sub-group, these are all work-groups of the call; otherwise one.
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

// Inlines the lanes functions. Not with -g: debuggers show the kernel and the function that runs its sub-groups as two
// frames.
void WorkGroupBuilder::inlineLanes() {
  if (context.debug)
    return;
  for (CallInst *call : calls) {
    Function *callee = call->getCalledFunction();
    assert(callee != nullptr && callee->arg_size() == call->arg_size() && "a call of a lanes function");
    InlineFunctionInfo info;
    if (callee->isDeclaration() || !InlineFunction(*call, info).isSuccess())
      continue;
    callee->removeDeadConstantUsers();
    if (callee->use_empty())
      callee->eraseFromParent();
  }
}

// In check mode, reports that a work-group starts, whose local memory is uninitialized.
void WorkGroupBuilder::tellBegin() {
  if (module.getFunction("lanecl.check.shadow"))
    builder.CreateCall(module.getOrInsertFunction(kCheckBegun, builder.getVoidTy()));
}

// In check mode, reports that a work-group is done: work-items that have not arrived at a barrier by now never will.
void WorkGroupBuilder::tellEnd() {
  if (module.getFunction(kCheckReached) || module.getFunction(kLanesAccess) || module.getFunction(kLanesAccessInCall))
    builder.CreateCall(module.getOrInsertFunction(kCheckDone, builder.getVoidTy(), builder.getInt64Ty()), {group_x});
}

// Allocates the state of rounds on the stack.
void WorkGroupBuilder::reserveRounds() {
  if (full.resume || partial.resume)
    resumed_any = builder.CreateAlloca(builder.getInt1Ty(), nullptr, "resumed");
  if (!yields())
    return;
  moved = builder.CreateAlloca(builder.getInt1Ty(), nullptr, "moved");
  moved_ever = builder.CreateAlloca(builder.getInt1Ty(), nullptr, "moved.ever");
  waiting = builder.CreateAlloca(builder.getInt64Ty(), nullptr, "waiting");
  waiting_at = builder.CreateAlloca(builder.getPtrTy(), nullptr, "waiting.at");
  rounds = builder.CreateAlloca(builder.getInt64Ty(), nullptr, "rounds");
  all_rounds = builder.CreateAlloca(builder.getInt64Ty(), nullptr, "all_rounds");
  builder.CreateStore(builder.getInt64(0), waiting);
  builder.CreateStore(ConstantPointerNull::get(builder.getPtrTy()), waiting_at);
}

// Runs one work-group, or several if the lanes take whole rows.
void WorkGroupBuilder::runGroup() {
  const auto begin = [&] {
    tellBegin();
    forEachSubGroup([&](const Lanes &lanes, Value *id, Value *active) { enter(lanes, id, active); });
  };
  if (yields()) {
    goOnOrBegin(begin);
    resumeAndYield();
  } else {
    begin();
    if (full.resume || partial.resume)
      resumeUntilDone();
    else
      resumeInTurn();
  }
  tellEnd();
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
  reserveRounds();
  loop(function->getArg(3), function->getArg(4), "group", [&](Value *x) {
    group_x = x;
    Value *groups = groupsTogether();
    runGroup();
    return groups;
  });
  builder.CreateRetVoid();
  inlineLanes();
  return function;
}

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
