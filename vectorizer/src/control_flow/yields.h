// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Lets other sub-groups go on where a sub-group waits for them: the pass puts the primitive `yield` on the way from one
// iteration of a waiting loop (analysis/waiting/waiting_loops.h) to the next.
//
//   loop: %f = load atomic @flag              loop: %f = load atomic @flag
//         br (%f == 0), %loop, %exit     ->         br (%f == 0), %again, %exit
//                                             again: call @__lanecl_yield(); br %loop
//
// The barriers pass makes a yield a suspension point, like a barrier. A yield in a loop that does not wait costs time,
// and a waiting loop without a yield may never end. So every loop that may wait gets one, unless it is proved to make
// progress.
#pragma once

#include "pass_support/pass_context.h"
#include "pass_support/required_pass.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

// Attribute of a yield in a loop that most likely makes progress (WaitingLoop::gets_on). Such a loop yields only once
// in several iterations, and the sub-group does not count as waiting there.
inline constexpr const char *kGetsOn = "lanecl-gets-on";

class YieldsPass : public RequiredPass<YieldsPass> {
public:
  explicit YieldsPass(PassContext &context) : context(context) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &manager);

private:
  PassContext &context;
};

// Finds out whether a kernel will have yields, for a build that makes no code yet: sets only `facts.yields`.
class FindWaitsPass : public RequiredPass<FindWaitsPass> {
public:
  explicit FindWaitsPass(PassContext &context) : context(context) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &manager);

private:
  PassContext &context;
};

} // namespace lanecl::vectorizer
