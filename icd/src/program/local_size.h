// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The local size of a launch that leaves it to the device.
#pragma once

#include <array>
#include <cstdint>

namespace lanecl::icd {

using Size3 = std::array<uint64_t, 3>;

// Rows as long as useful, a multiple of the sub-group size where the global size permits, and enough work-groups for
// all `threads`. With `uniform` every element divides the global size. Unused dimensions of `global` hold 1.
Size3 chooseLocalSize(const Size3 &global, unsigned threads, bool uniform);

} // namespace lanecl::icd
