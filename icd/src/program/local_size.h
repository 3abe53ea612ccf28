// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The local size of a launch that leaves it to the device, and of one whose work-items cannot see it.
#pragma once

#include <array>
#include <cstdint>

namespace lanecl::icd {

using Size3 = std::array<uint64_t, 3>;

// Rows as long as useful, a multiple of the sub-group size where the global size permits, and enough work-groups for
// all `threads`. With `uniform` every element divides the global size. Unused dimensions of `global` hold 1.
Size3 chooseLocalSize(const Size3 &global, unsigned threads, bool uniform);

// For a kernel that cannot tell how its work-items are put together in work-groups: the length of a work-group that is
// one row along x, along y or along z; 0 where the range is too short for that. Lengths need not divide the global
// size.
Size3 freeRows(const Size3 &global, unsigned threads);

// For such a kernel: one long row along x, or where rows are short several of them.
Size3 freeLocalSize(const Size3 &global, unsigned threads);

} // namespace lanecl::icd
