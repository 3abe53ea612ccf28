// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "check/groups/check_work_groups.h"

#include "analysis/lane_target.h"
#include "check/check_calls.h"
#include "vectorizer/check.h"

#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace lanecl::vectorizer {

// OpenCL C: "This function must be encountered by all work-items in a work-group executing the kernel."
static bool needsWholeWorkGroup(StringRef name) {
  return name == "barrier" || name == "wait_group_events" || name == "__lanecl_named_barrier_initialize" ||
         beginsWithAny(name, {"work_group_", "async_work_group_", "intel_work_group_barrier_"});
}

// Returns the index of the first argument that must be the same for all work-items, as must all that follow it. The
// index is past the last argument if there is none.
static unsigned firstSharedArgument(StringRef name) {
  if (beginsWithAny(name, {"async_work_group_", "wait_group_events"}))
    return 0;
  return beginsWithAny(name, {"work_group_broadcast", "work_group_reserve_"}) ? 1 : ~0u;
}

// Returns an argument as an i64; null for an event or a pointer to private memory, which may differ.
static Value *numberOf(IRBuilderBase &b, Value *argument) {
  const Type *type = argument->getType();
  if (type->isIntegerTy())
    return b.CreateZExtOrTrunc(argument, b.getInt64Ty());
  const bool is_shared =
      type->isPointerTy() && (type->getPointerAddressSpace() == kGlobal || type->getPointerAddressSpace() == kLocal);
  return is_shared ? b.CreatePtrToInt(argument, b.getInt64Ty()) : nullptr;
}

// Reports arguments that differ between lanes. Returns a number by which the run time compares the arguments of
// sub-groups: equal arguments give equal numbers.
static Value *checkArguments(CallBase &call, StringRef name) {
  constexpr uint64_t kSpread = 0x9e3779b97f4a7c15;
  IRBuilder<> b(&call);
  Value *all = b.getInt64(0);
  for (unsigned i = firstSharedArgument(name); i < call.arg_size(); ++i) {
    b.SetInsertPoint(&call);
    Value *number = numberOf(b, call.getArgOperand(i));
    if (!number)
      continue;
    Value *first = createFirstLanes(b, number);
    all = b.CreateMul(b.CreateXor(all, first), b.getInt64(kSpread));
    reportIf(b.CreateICmpNE(number, first), call, abi::CheckRule::GroupArgument, name, number, first);
  }
  return all;
}

// Inserts a read of the last event. The built-in function ignores its events, because copies are complete when they
// return. The read makes check-accesses report if there are fewer events than the call says.
static void readLastEvent(CallBase &wait) {
  IRBuilder<> b(&wait);
  Value *count = b.CreateSExtOrTrunc(wait.getArgOperand(0), b.getInt64Ty());
  Value *some = b.CreateICmpSGT(count, b.getInt64(0));
  b.SetInsertPoint(SplitBlockAndInsertIfThen(some, wait.getIterator(), /*Unreachable=*/false));
  b.SetCurrentDebugLocation(wait.getDebugLoc());
  Value *last = b.CreateGEP(b.getInt64Ty(), wait.getArgOperand(1), b.CreateSub(count, b.getInt64(1)));
  b.CreateLoad(b.getInt64Ty(), last, /*isVolatile=*/true);
}

static void check(CallBase &call, StringRef name) {
  IRBuilder<> b(&call);
  Value *active = createActiveMask(b), *all = createExistingMask(b);
  reportIf(b.CreateICmpNE(active, all), call, abi::CheckRule::WholeWorkGroup, name, active, all);
  recordArrival(call, name, checkArguments(call, name));
}

PreservedAnalyses CheckWorkGroupsPass::run(Function &function, FunctionAnalysisManager &) {
  const auto calls = findCalls(function, needsWholeWorkGroup);
  for (const auto &[call, name] : calls) {
    check(*call, name);
    if (name == "wait_group_events" && context.checks && context.checks->memory)
      readLastEvent(*call);
  }
  return calls.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

} // namespace lanecl::vectorizer
