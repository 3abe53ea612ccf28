// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Tries smaller kernels, one change at a time, and keeps each change after which the kernel still fails.
#include "reduce/reduce.h"

#include "generate/guards.h"
#include "reduce/edit.h"
#include "reduce/scopes.h"
#include "reduce/shrink.h"

namespace lanecl::fuzz {

namespace {

// Tries all changes of statements or of expressions once, and returns whether the kernel still failed after any of
// them.
bool pass(Kernel &kernel, bool statements, const Fails &fails) {
  bool progress = false;
  for (Function &function : kernel.functions)
    for (unsigned position = 0;; ++position) {
      bool exhausted = false;
      for (unsigned way = 0; way < Edit::kWays && !exhausted; ++way) {
        const Block before = function.body;
        Edit edit(position, way);
        const bool changed = statements ? edit.statement(function.body) : edit.expression(function.body);
        exhausted = edit.exhausted();
        if (changed && fails(kernel)) {
          progress = true;
          --position;
          break;
        }
        function.body = before;
      }
      if (exhausted)
        break;
    }
  return progress;
}

// Replaces the kernel by the candidate if that fails, too, and returns whether it does.
bool tryOne(Kernel &kernel, Kernel candidate, const Fails &fails) {
  findNeeds(candidate);
  if (!fails(candidate))
    return false;
  kernel = std::move(candidate);
  return true;
}

// Tries smaller launches until none fails any more.
bool shrinkLaunches(Kernel &kernel, const Fails &fails) {
  bool progress = false;
  for (bool again = true; again; progress |= again) {
    again = false;
    for (Kernel &candidate : withSmallerLaunches(kernel))
      if (tryOne(kernel, std::move(candidate), fails)) {
        again = true;
        break;
      }
  }
  return progress;
}

// Removes guards that are not needed any more.
void dropGuards(Kernel &kernel, const Fails &fails) {
  Kernel candidate = kernel;
  removeGuards(candidate);
  try {
    Unguarded unguarded;
    evaluateLaunches(candidate, unguarded);
    addGuards(candidate, unguarded);
  } catch (const Rejected &) {
    return;
  }
  tryOne(kernel, std::move(candidate), fails);
}

} // namespace

Kernel reduce(Kernel kernel, const Fails &given) {
  const Fails fails = [&](const Kernel &candidate) {
    Kernel analyzed = candidate;
    findNeeds(analyzed);
    return declaresAll(analyzed) && given(analyzed);
  };
  shrinkLaunches(kernel, fails);
  for (bool progress = true; progress;) {
    progress = pass(kernel, true, fails);
    tryOne(kernel, withoutUnused(kernel), fails);
    progress |= pass(kernel, false, fails);
    dropGuards(kernel, fails);
    progress |= shrinkLaunches(kernel, fails);
  }
  tryOne(kernel, withoutUnused(kernel), fails);
  findNeeds(kernel);
  return kernel;
}

} // namespace lanecl::fuzz
