// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Memory for the objects that make up a command. One thread allocates it, another frees it, thousands of times in a
// row: the worst case for a general allocator, where the two threads then contend for every block.
#pragma once

#include <cstddef>
#include <new>

namespace lanecl::scheduler {

// Blocks that are freed go to a list that all threads share; a thread that runs out of blocks takes the whole list.
void *allocateCommandMemory(size_t bytes); // aligned as by operator new; throws std::bad_alloc
void freeCommandMemory(void *memory, size_t bytes) noexcept;

template <typename T> struct CommandAllocator {
  using value_type = T;
  static_assert(alignof(T) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__);

  CommandAllocator() = default;
  template <typename Other> CommandAllocator(const CommandAllocator<Other> &) {}
  T *allocate(size_t count) {
    if (count > size_t(-1) / sizeof(T))
      throw std::bad_array_new_length();
    return static_cast<T *>(allocateCommandMemory(count * sizeof(T)));
  }
  void deallocate(T *memory, size_t count) noexcept { freeCommandMemory(memory, count * sizeof(T)); }
  friend bool operator==(const CommandAllocator &, const CommandAllocator &) { return true; }
};

} // namespace lanecl::scheduler
