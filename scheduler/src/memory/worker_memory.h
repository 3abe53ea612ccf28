// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Local and scratch memory for the threads that run work-groups, kept from launch to launch.
#pragma once

#include "vectorizer/contract/abi.h"

#include <atomic>
#include <cstddef>
#include <memory>
#include <span>

namespace lanecl::scheduler {

// A block of memory that grows on demand. It is aligned to a page of 4 KiB, or to 2 MiB if it is at least that large.
// Its contents are lost when it grows.
class GrowingBlock {
public:
  GrowingBlock() = default;
  GrowingBlock(const GrowingBlock &) = delete;
  GrowingBlock &operator=(const GrowingBlock &) = delete;
  ~GrowingBlock() { release(); }

  bool reserve(size_t bytes); // makes room for `bytes`; false when there is no memory
  void release();
  std::byte *data() const { return start; }
  size_t size() const { return capacity; }

private:
  std::byte *start = nullptr;
  size_t capacity = 0;
};

// Blocks for the threads that execute launches. A launch leases a block: the one that its thread had last, or another
// free one. A launch that waits for others keeps its lease while the thread's place on the core is lent, so any number
// of leases may be held at a time. A launch never waits for a block: when all are taken, the lease allocates one of its
// own, which is freed with it.
class WorkerMemoryPool {
  struct Place;

public:
  explicit WorkerMemoryPool(unsigned executors);

  // The memory of one thread for one launch: a copy of the packed arguments, scratch memory and local memory.
  class Lease {
  public:
    Lease(WorkerMemoryPool &pool, uint64_t local_bytes, uint64_t scratch_bytes, std::span<const std::byte> arguments);
    ~Lease();
    Lease(const Lease &) = delete;
    Lease &operator=(const Lease &) = delete;

    explicit operator bool() const { return valid; } // false: there is no memory
    const abi::WorkerMemory &memory() const { return worker; }
    const std::byte *arguments() const { return packed; } // a copy with the alignment that generated code relies on

  private:
    Place *const place; // null: the block is `own`
    GrowingBlock own;
    bool valid = false;
    abi::WorkerMemory worker{};
    const std::byte *packed = nullptr;
  };

private:
  // A block that one thread at a time may lease. Places are on cache lines of their own.
  struct alignas(128) Place {
    std::atomic<bool> taken{false};
    GrowingBlock block;
  };
  Place *acquire();
  static void release(Place &place);

  const unsigned count;
  std::unique_ptr<Place[]> places;
};

} // namespace lanecl::scheduler
