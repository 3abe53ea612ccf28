// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The memory that the process's control groups allow it.
#pragma once

#include <cstdint>
#include <string>

namespace lanecl::icd {

// Returns the least limit, in bytes, that applies to the process: that of its own control group, or of one of the
// groups around it, as far as they are visible. Returns the largest number if there is none. The files of /proc and
// /sys are looked for below the folder `root`.
uint64_t cgroupMemoryLimit(const std::string &root = "");

} // namespace lanecl::icd
