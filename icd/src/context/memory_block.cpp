// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Allocates memory with an alignment, with huge pages for large blocks and with margins in check mode.

#include "context/memory_block.h"

#include "api/shadow.h"
#include "icd/settings.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstdint>

#include <sys/mman.h>

namespace lanecl::icd {
namespace {

constexpr size_t kHugePage = size_t(2) << 20;

// Returns the size of the margins that check mode keeps before the start and past the end of the memory. A kernel that
// writes there is reported and does no damage.
size_t margin() {
  return settings().check.empty() ? 0 : 4096;
}

} // namespace

MemoryBlock::MemoryBlock(size_t size, size_t alignment, Content content) {
  assert(size != 0 && std::has_single_bit(alignment) && "a block that cannot be allocated");
  // Large buffers are often read with long strides. Huge pages keep their addresses in the TLB.
  const bool huge = size >= 2 * kHugePage;
  if (huge)
    alignment = std::max(alignment, kHugePage);
  if (size > SIZE_MAX - 2 * alignment - 2 * margin())
    return;
  const size_t rounded = (size + 2 * margin() + alignment - 1) / alignment * alignment;
  // The C library's calloc() clears only memory that is not new. It has no alignment, so a larger block is allocated.
  block_.reset(content == Content::Zeros ? std::calloc(1, rounded + alignment)
                                         : std::aligned_alloc(alignment, rounded + (margin() == 0 ? 0 : alignment)));
  if (!block_)
    return;
  const auto address = reinterpret_cast<uintptr_t>(block_.get()) + margin();
  data_ = static_cast<std::byte *>(block_.get()) + margin() + (alignment - address % alignment) % alignment;
  assert(reinterpret_cast<uintptr_t>(data_) % alignment == 0 && "the memory is not aligned as wanted");
  if (huge)
    madvise(data_, rounded, MADV_HUGEPAGE);
  markWritten(data_, size); // check mode forgets what it knew of earlier memory at these addresses
}

} // namespace lanecl::icd
