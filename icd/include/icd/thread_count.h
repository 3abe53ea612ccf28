// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The number of threads of the device, for the device itself and the tools.
#pragma once

namespace lanecl::icd {

// Returns LANECL_THREADS, or the number of processors that the process may use.
unsigned threadCount();

} // namespace lanecl::icd
