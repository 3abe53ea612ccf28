// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Named barriers: SPIR-V's OpNamedBarrierInitialize.
#pragma once

namespace lanecl::vectorizer {

// The number of barriers that one call of OpNamedBarrierInitialize in a loop can have in use at the same time. Each
// iteration uses the memory of the one kMostNamedBarriers iterations before.
inline constexpr unsigned kMostNamedBarriers = 32;

} // namespace lanecl::vectorizer
