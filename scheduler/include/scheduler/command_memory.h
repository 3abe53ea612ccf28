// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Memory for the objects that make up a command. One thread allocates it and another one frees it, thousands of times
// in a row. That is the worst case for a general allocator, where the two threads contend for every block.
#pragma once

#include <cstddef>
#include <new>

namespace lanecl::scheduler {

// A freed block goes to a list that all threads share. A thread that runs out of blocks takes the whole list. Alignment
// is that of operator new; allocateCommandMemory() throws std::bad_alloc.
void *allocateCommandMemory(size_t bytes);
void freeCommandMemory(void *memory, size_t bytes) noexcept;

// A standard allocator on top of the two functions above, for std::allocate_shared and std::vector.
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
