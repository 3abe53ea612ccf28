// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Programs as SPIR-V modules whose blocks are in another order than the source's statements.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lanecl::fuzz {

using Words = std::vector<uint32_t>;

// Returns what Clang makes from OpenCL C with these options, without optimization. Returns nothing if Clang has no
// translation, for example for functions that no extension of SPIR-V has.
std::optional<Words> compileToSpirv(const std::string &source, const std::string &options);

// Puts the blocks of each function in a random order that SPIR-V permits: no block comes before a block that dominates
// it. For example, what follows a loop may come before the loop's body.
Words shuffleBlocks(const Words &module, uint64_t seed);

} // namespace lanecl::fuzz
