// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `barriers`: a lanes function with work-group barriers becomes a coroutine that suspends at each of them. Values that
// are live across a barrier are kept in the coroutine's frame, in the sub-group's scratch memory.
//
// `k.lanes` then returns a constant { i64 frame size, i64 frame alignment } and has a companion `k.lanes.resume` with
// the same parameters, but for the frame in place of the scratch memory; built with -g, the frame is the only one. A
// frame begins with the pointer of that function, null once the sub-group is done. Where all sub-groups wait at the
// same barriers in the same order, there is a companion for each of them instead (turns.h).
#pragma once

#include "pass_support/pass_context.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class BarriersPass : public llvm::PassInfoMixin<BarriersPass> {
public:
  explicit BarriersPass(PassContext &context) : context(context) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
  static bool isRequired() { return true; }

private:
  PassContext &context;
};

} // namespace lanecl::vectorizer
