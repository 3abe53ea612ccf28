// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `barriers`: a lanes function with work-group barriers becomes a coroutine that suspends at each of them. One thread
// runs all sub-groups of a work-group, so at a barrier it goes on with the next sub-group:
//
//   k.lanes: a; barrier; b     ──>     k.lanes: a, suspend     k.lanes.resume: b
//
// Values that are live across a barrier are kept in the coroutine's frame, in the sub-group's scratch memory. Cheap
// ones are computed again instead. Barriers of one sub-group are erased, because its lanes run in lock-step.
//
// `k.lanes` then returns a constant { i64 frame size, i64 frame alignment } and has a companion `k.lanes.resume`. Its
// parameters are the same, except that the frame takes the place of the scratch memory; built with -g, the frame is its
// only parameter. A frame starts with the pointer of that function, which becomes null once the sub-group is done. If
// all sub-groups wait at the same barriers in the same order, there is a function for each turn instead (turns.h).
#pragma once

#include "pass_support/pass_context.h"
#include "pass_support/required_pass.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class BarriersPass : public RequiredPass<BarriersPass> {
public:
  explicit BarriersPass(PassContext &context) : context(context) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);

private:
  PassContext &context;
};

} // namespace lanecl::vectorizer
