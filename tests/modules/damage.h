// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// SPIR-V modules with errors made at random.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

namespace lanecl::modules {

using SpirvModule = std::vector<uint32_t>;
using Random = std::mt19937_64;

// One error, or up to five: of bits, words, instructions, or the length. `other` is a module from which instructions
// come.
SpirvModule damaged(SpirvModule module, const SpirvModule &other, Random &random);

} // namespace lanecl::modules
