// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Aligned memory of buffers, images and allocations.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>

namespace lanecl::icd {

// Owns a block of memory and frees it.
class MemoryBlock {
public:
  // The contents of new memory. It is zeroed by default, because some programs read memory that they never wrote, and
  // memory of GPUs contains zeros there. Fresh pages of the system are zeros already. Undefined is for memory that is
  // overwritten with a copy anyway.
  enum class Content { Zeros, Undefined };

  MemoryBlock() = default;
  // Allocates `size` bytes. `alignment` is a power of two. data() is null when there is no memory.
  MemoryBlock(size_t size, size_t alignment, Content content = Content::Zeros);

  std::byte *data() const { return data_; }

private:
  struct Free {
    void operator()(void *block) const { std::free(block); }
  };
  std::unique_ptr<void, Free> block_;
  std::byte *data_ = nullptr; // the aligned address in the block
};

} // namespace lanecl::icd
