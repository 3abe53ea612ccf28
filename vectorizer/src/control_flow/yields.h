// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Where a turn of a waiting loop ends, the sub-group lets others go on: the primitive `yield` stands on the way to the
// next turn.
#pragma once

#include "pass_support/pass_context.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

// Marks a yield of a loop that most likely gets on (WaitingLoop::gets_on). The sub-group does not count as waiting
// there.
inline constexpr const char *kGetsOn = "lanecl-gets-on";

class YieldsPass : public llvm::PassInfoMixin<YieldsPass> {
public:
  explicit YieldsPass(PassContext &context) : context(context) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &manager);
  static bool isRequired() { return true; }

private:
  PassContext &context;
};

// For a build, which makes no code: only says whether there will be yields.
class FindWaitsPass : public llvm::PassInfoMixin<FindWaitsPass> {
public:
  explicit FindWaitsPass(PassContext &context) : context(context) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &manager);
  static bool isRequired() { return true; }

private:
  PassContext &context;
};

} // namespace lanecl::vectorizer
