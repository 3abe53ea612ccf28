// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Chooses the local size where the application leaves it open, and where no work-item can see it.
#pragma once

#include <array>
#include <cstdint>

namespace lanecl::icd {

using Size3 = std::array<uint64_t, 3>;

// Returns the local size for a launch that leaves it open. It is a row as long as useful, and a multiple of the
// sub-group size where the global size permits, such that there are enough work-groups for all `threads`. If the global
// size has short rows, a work-group takes several of them.
//
// If `uniform`, every element divides the global size. Dimensions that are not used hold 1 in `global`.
Size3 chooseLocalSize(const Size3 &global, unsigned threads, bool uniform);

// Returns the lengths of work-groups that are a single row along x, y or z, for a kernel that cannot see its
// work-groups. An element is 0 where the range is too short for rows along that dimension. The lengths need not divide
// the global size.
Size3 freeRows(const Size3 &global, unsigned threads);

// Returns the local size for a kernel that cannot see its work-groups: one long row along x or, if those are short, a
// group of several rows.
Size3 freeLocalSize(const Size3 &global, unsigned threads);

} // namespace lanecl::icd
