// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Instrumented kernels, where LANECL_CHECK asks for them.
#pragma once

#include "check/finding.h"
#include "faults/launch_subject.h"

#include <memory>
#include <string>
#include <vector>

namespace lanecl::icd {

// Called before kernels are compiled; later calls do nothing.
void startCheckMode();
bool isCheckMode();
void countCheckedLaunch();                                        // does nothing without check mode
std::unique_ptr<CheckedLaunch> makeCheckedLaunch(bool runs_once); // null without check mode
void giveNumber(CheckedLaunch &launch);                           // before each run: a launch of its own for the checks

std::vector<Finding> takeFindings(); // see Findings::take(); none without check mode

// Launches are run with all sub-group sizes, see commands/width_comparison.h.
bool areWidthsCompared();
void reportWidth(const std::string &kernel, const std::string &what);
enum class Unchecked { NotRestored, Varying }; // launches that were not compared, and why
void countUnchecked(Unchecked why);

} // namespace lanecl::icd
