// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Instrumented kernels, where LANECL_CHECK asks for them.
#pragma once

namespace lanecl::icd {

// Called before kernels are compiled; later calls do nothing.
void startCheckMode();
bool isCheckMode();
void countCheckedLaunch(); // does nothing without check mode

} // namespace lanecl::icd
