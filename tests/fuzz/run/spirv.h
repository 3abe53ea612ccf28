// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Programs as SPIR-V modules whose blocks stand in another order than the source's statements.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lanecl::fuzz {

using Words = std::vector<uint32_t>;

// What Clang makes of OpenCL C with these options, without optimization. Nothing when it has no translation, as for
// functions that no extension of SPIR-V has.
std::optional<Words> compileToSpirv(const std::string &source, const std::string &options);

// Puts the blocks of each function in a random order that SPIR-V permits: none stands before a block that dominates it.
// So a producer may put what follows a loop before the loop's body, say.
Words shuffleBlocks(const Words &module, uint64_t seed);

} // namespace lanecl::fuzz
