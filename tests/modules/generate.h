// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Valid SPIR-V modules made at random, with what their kernel computes.
#pragma once

#include "damage.h"

#include <string>

namespace lanecl::modules {

// A kernel k(global const uint *in, global ulong *out) for one work-group of kItems work-items, in assembly.
struct Sample {
  std::string text;
  unsigned minor; // of the version, 1.x
  std::vector<uint32_t> input;
  std::vector<uint64_t> output;
};

inline constexpr size_t kItems = 40;

Sample generate(Random &random);

} // namespace lanecl::modules
