// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Named barriers (SPIR-V's OpNamedBarrierInitialize): how many of those that one call makes in a loop exist at a time.
#pragma once

namespace lanecl::vectorizer {

inline constexpr unsigned kMostNamedBarriers = 32;

} // namespace lanecl::vectorizer
