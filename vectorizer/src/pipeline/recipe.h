// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The recipe of the vectorizer: which passes make the code of a kernel, in which order, and when each of them runs.
#pragma once

#include "pass_support/pass_context.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace lanecl::vectorizer {

// How much of the recipe runs.
enum class Steps {
  All,
  Checks, // only the first part, which finds the errors in a program
};

// What decides whether a step runs.
struct Situation {
  const PassContext &context;
  const Instrumentation *checks; // what check mode looks for; null outside of check mode
  Steps steps;

  bool optimizes() const { return context.optimize; }
  // Whether optimizations may change which statements and accesses there are.
  bool optimizesFreely() const { return optimizes() && !context.debug && !checks; }
  bool optimizesLanes() const { return optimizes() && !context.hasOneLane(); }
};

// One step of the recipe.
struct Step {
  llvm::StringRef pass; // its name in passes.def
  bool (*runs)(const Situation &);
  llvm::StringRef purpose; // a sentence or two about what the pass does, for the documentation
};

// Returns the steps that prepare a kernel and find all errors in a program, in the order in which they run.
llvm::ArrayRef<Step> stepsToFindErrors();

// Returns the steps behind these, which make the code of the work-group function.
llvm::ArrayRef<Step> stepsToMakeCode();

// Returns the passes that run over one kernel, in their order.
llvm::SmallVector<llvm::StringRef> passesFor(const PassContext &context, Steps steps);

} // namespace lanecl::vectorizer
