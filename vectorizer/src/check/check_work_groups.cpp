// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "check/check_work_groups.h"

#include "check/check_calls.h"

using namespace llvm;

namespace lanecl::vectorizer {

// "This function must be encountered by all work-items in a work-group executing the kernel."
static bool needsWholeWorkGroup(StringRef name) {
  return name == "barrier" || name == "wait_group_events" || name == "__lanecl_named_barrier_initialize" ||
         beginsWithAny(name, {"work_group_", "async_work_group_", "intel_work_group_barrier_"});
}

static void check(CallBase &call, StringRef name) {
  IRBuilder<> b(&call);
  Value *active = createActiveMask(b), *all = createExistingMask(b);
  reportIf(b.CreateICmpNE(active, all), call, abi::CheckRule::WholeWorkGroup, name, active, all);
  tellArrival(call, name);
}

PreservedAnalyses CheckWorkGroupsPass::run(Function &function, FunctionAnalysisManager &) {
  const auto calls = findCalls(function, needsWholeWorkGroup);
  for (const auto &[call, name] : calls)
    check(*call, name);
  return calls.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

} // namespace lanecl::vectorizer
