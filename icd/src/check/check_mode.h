// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Instrumented kernels, where LANECL_CHECK asks for them.
#pragma once

#include <string>

namespace lanecl::icd {

// Called before kernels are compiled; later calls do nothing.
void startCheckMode();
bool isCheckMode();
void countCheckedLaunch(); // does nothing without check mode

// Launches are run with all sub-group sizes, see commands/width_comparison.h.
bool areWidthsCompared();
void reportWidth(const std::string &kernel, const std::string &what);
enum class Unchecked { NotRestored, Varying }; // launches that were not compared, and why
void countUnchecked(Unchecked why);

} // namespace lanecl::icd
