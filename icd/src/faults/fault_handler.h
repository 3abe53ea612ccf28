// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Faults inside kernels are described on stderr; then they take their course.
#pragma once

namespace lanecl::icd {

// Called before the first launch; later calls do nothing. Handlers that the program has installed are called after the
// description, those that it installs later are left alone.
void describeFaults();

} // namespace lanecl::icd
