// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What the operating system says about the machine.
#pragma once

#include <cstdint>
#include <string>

namespace lanecl::icd {

struct Processor {
  std::string brand; // as the processor names itself
  uint32_t megahertz = 0;
  uint64_t memory_bytes = 0;
  uint64_t cache_bytes = 0;
  uint32_t cache_line_bytes = 64;
};

const Processor &processor();

} // namespace lanecl::icd
