// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Aligned memory of buffers, images and allocations, freed with its owner.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>

namespace lanecl::icd {

class MemoryBlock {
public:
  // New memory holds zeros, because programs exist that read what they never wrote: devices' memory does. Where the
  // system gives pages, they are zeros already. Memory for a copy need not.
  enum class Content { Zeros, Undefined };

  MemoryBlock() = default;
  // data() is null when there is no memory. The alignment is a power of two.
  MemoryBlock(size_t size, size_t alignment, Content content = Content::Zeros);

  std::byte *data() const { return data_; }

private:
  struct Free {
    void operator()(void *block) const { std::free(block); }
  };
  std::unique_ptr<void, Free> block_;
  std::byte *data_ = nullptr; // in the block
};

} // namespace lanecl::icd
