// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The facts about the machine that the operating system and the CPUID instruction report.
#pragma once

#include <cstdint>
#include <string>

namespace lanecl::icd {

struct HostProcessor {
  std::string brand;      // the name that CPUID returns; "x86-64" if there is none
  uint32_t megahertz = 0; // the highest frequency, or the current one if that is unknown
  uint64_t memory_bytes = 0;
  uint64_t cache_bytes = 0; // of the last level
  uint32_t cache_line_bytes = 64;
};

// Returns the facts, which are read at the first call.
const HostProcessor &processor();

} // namespace lanecl::icd
