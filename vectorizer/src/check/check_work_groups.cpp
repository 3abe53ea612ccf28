// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "check/check_work_groups.h"

#include "analysis/lane_target.h"
#include "check/check_calls.h"
#include "vectorizer/check.h"

#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace lanecl::vectorizer {

// "This function must be encountered by all work-items in a work-group executing the kernel."
static bool needsWholeWorkGroup(StringRef name) {
  return name == "barrier" || name == "wait_group_events" || name == "__lanecl_named_barrier_initialize" ||
         beginsWithAny(name, {"work_group_", "async_work_group_", "intel_work_group_barrier_"});
}

// The first argument that has to be the same for all work-items, as those behind it; more than there are: none has.
static unsigned firstSharedArgument(StringRef name) {
  if (beginsWithAny(name, {"async_work_group_", "wait_group_events"}))
    return 0;
  return beginsWithAny(name, {"work_group_broadcast", "work_group_reserve_"}) ? 1 : ~0u;
}

// As an i64; null: an event, or the private memory that has one.
static Value *numberOf(IRBuilderBase &b, Value *argument) {
  const Type *type = argument->getType();
  if (type->isIntegerTy())
    return b.CreateZExtOrTrunc(argument, b.getInt64Ty());
  const bool is_shared =
      type->isPointerTy() && (type->getPointerAddressSpace() == kGlobal || type->getPointerAddressSpace() == kLocal);
  return is_shared ? b.CreatePtrToInt(argument, b.getInt64Ty()) : nullptr;
}

// Reports where lanes differ. Returns a number that is the same for the same arguments.
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

// The built-in function does not look at the events, as copies are done when they return. A read of the last one shows
// whether there are so many.
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
  tellArrival(call, name, checkArguments(call, name));
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
