// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "scheduler/command_memory.h"

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>

namespace lanecl::scheduler {

namespace {

// Blocks have the sizes 64, 128, 256, 512 and 1024 bytes; each size is a class with a list of its own.
constexpr size_t kSmallest = 64, kLargest = 1024;
constexpr size_t kClasses = std::bit_width(kLargest / kSmallest);
#if __has_feature(address_sanitizer)
constexpr uint32_t kMostKept = 0; // none, so that the sanitizer sees every use after free
#else
constexpr uint32_t kMostKept = 4096; // approximate number of free blocks that a class keeps
#endif

struct Block {
  Block *next;
};

// Blocks are pushed one by one, but only taken all at once. Comparing and exchanging the head is therefore safe from
// the ABA problem.
struct alignas(64) SharedList {
  std::atomic<Block *> head{nullptr};
  std::atomic<uint32_t> count{0};

  void push(Block *block) {
    block->next = head.load(std::memory_order_relaxed);
    while (!head.compare_exchange_weak(block->next, block, std::memory_order_release, std::memory_order_relaxed))
      ;
    count.fetch_add(1, std::memory_order_relaxed);
  }
  Block *takeAll() {
    if (head.load(std::memory_order_relaxed) == nullptr)
      return nullptr;
    count.store(0, std::memory_order_relaxed);
    return head.exchange(nullptr, std::memory_order_acquire);
  }
};

SharedList shared_lists[kClasses];

constexpr size_t classOf(size_t bytes) {
  return bytes <= kSmallest ? 0 : static_cast<size_t>(std::bit_width((bytes - 1) / kSmallest));
}
static_assert(classOf(kLargest) == kClasses - 1 && kSmallest << classOf(kLargest) == kLargest);
static_assert(classOf(kSmallest + 1) == 1, "a block is at least as large as what it is for");

// The blocks that a thread has taken from the shared lists and not used yet. They go back when the thread ends.
struct OwnLists {
  std::array<Block *, kClasses> heads{};
  bool gone = false; // the thread is ending, while objects are still being destroyed

  ~OwnLists() {
    gone = true;
    for (size_t i = 0; i < kClasses; ++i)
      while (Block *block = heads[i]) {
        heads[i] = block->next;
        shared_lists[i].push(block);
      }
  }
};
thread_local OwnLists own_lists;

} // namespace

void *allocateCommandMemory(size_t bytes) {
  if (bytes > kLargest)
    return ::operator new(bytes);
  const size_t size_class = classOf(bytes);
  if (own_lists.gone)
    return ::operator new(kSmallest << size_class);
  Block *&head = own_lists.heads[size_class];
  if (head == nullptr)
    head = shared_lists[size_class].takeAll();
  if (head == nullptr)
    return ::operator new(kSmallest << size_class);
  Block *const block = head;
  head = block->next;
  return block;
}

void freeCommandMemory(void *memory, size_t bytes) noexcept {
  SharedList *const list = bytes <= kLargest ? &shared_lists[classOf(bytes)] : nullptr;
  if (list == nullptr || list->count.load(std::memory_order_relaxed) >= kMostKept)
    ::operator delete(memory);
  else
    list->push(static_cast<Block *>(memory));
}

} // namespace lanecl::scheduler
