// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// How many threads the device has; for the tools, too.
#pragma once

namespace lanecl::icd {

// LANECL_THREADS, or one for each processor that the process may use.
unsigned threadCount();

} // namespace lanecl::icd
