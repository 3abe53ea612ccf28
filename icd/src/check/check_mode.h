// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Check mode: if LANECL_CHECK is set, kernels are instrumented and report the rules that they break.
#pragma once

#include "check/findings/finding.h"
#include "faults/launch_facts.h"

#include <memory>
#include <string>
#include <vector>

namespace lanecl::icd {

// Starts the checks that LANECL_CHECK names, before the first kernel is compiled. Later calls do nothing.
void startCheckMode();
// Whether startCheckMode() has started any checks.
bool isCheckMode();

// Counts a launch for the summary, and forgets what was known about bounds of memory. Does nothing outside check mode.
void countCheckedLaunch();
// Returns what the checks record of a launch, or null outside check mode. A launch that runs only once gets its number
// here; one that runs several times, in a command buffer, needs giveNumber() before each run.
std::unique_ptr<CheckedLaunch> makeCheckedLaunch(bool runs_once);
// Makes the next run a new launch for the checks, so that its accesses do not race with those of the run before.
void giveNumber(CheckedLaunch &launch);

// Returns Findings::take(), or nothing outside check mode.
std::vector<Finding> takeFindings();

// Whether launches are run with every sub-group size to compare the results, see commands/width_comparison.h.
bool areWidthsCompared();
// Reports that the results of `kernel` differ between sub-group sizes; `what` says where.
void reportWidth(const std::string &kernel, const std::string &what);
// Why a launch was not compared: memory that it writes cannot be restored, or its results vary from run to run.
enum class Unchecked { NotRestored, Varying };
void countUnchecked(Unchecked why);

} // namespace lanecl::icd
