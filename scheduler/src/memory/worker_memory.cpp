// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "memory/worker_memory.h"

#include <cassert>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>

namespace lanecl::scheduler {

namespace {

constexpr size_t kHugePage = size_t{2} << 20;
// Above this size, small pages are used. So large a block holds private arrays of many MiB, of which few places are
// likely to be used, and small pages commit less memory for those.
constexpr size_t kMostInHugePages = size_t{1} << 30;
// The most that a place keeps after a launch; a larger block goes back to the system.
constexpr size_t kMostKept = size_t{64} << 20;
// Unused bytes after each part of a block. A wide load of the last elements stays inside the block, and no part starts
// where another one ends.
constexpr size_t kTail = 256;

constexpr size_t padded(size_t bytes) {
  return abi::align_up(bytes + kTail, abi::kMemoryAlignment);
}

} // namespace

bool GrowingBlock::reserve(size_t bytes) {
  if (bytes <= capacity)
    return true;
  release();
  const bool huge = bytes >= kHugePage;
  const size_t wanted = abi::align_up(bytes, huge ? kHugePage : size_t{16384});
  start = static_cast<std::byte *>(std::aligned_alloc(huge ? kHugePage : size_t{4096}, wanted));
  if (start == nullptr)
    return false;
  capacity = wanted;
  if (huge && wanted <= kMostInHugePages)
    madvise(start, wanted, MADV_HUGEPAGE);
  return true;
}

void GrowingBlock::release() {
  std::free(start);
  start = nullptr;
  capacity = 0;
}

// There are twice as many places as executors, because a lease may be held for a moment longer than the thread's place
// on the core.
WorkerMemoryPool::WorkerMemoryPool(unsigned executors) : count(2 * executors), places(new Place[count]) {
  assert(executors != 0 && "no thread could lease a block that is kept");
}

// Tries each place once, starting with the one that the thread had last. Returns null when all are taken.
WorkerMemoryPool::Place *WorkerMemoryPool::acquire() {
  thread_local unsigned last = 0;
  for (unsigned tried = 0; tried != count; ++tried) {
    const unsigned i = (last + tried) % count;
    Place &place = places[i];
    if (!place.taken.load(std::memory_order_relaxed) && !place.taken.exchange(true, std::memory_order_acquire)) {
      last = i;
      return &place;
    }
  }
  return nullptr;
}

void WorkerMemoryPool::release(Place &place) {
  if (place.block.size() > kMostKept)
    place.block.release();
  assert(place.taken.load(std::memory_order_relaxed) && "two threads have used the same memory");
  place.taken.store(false, std::memory_order_release);
}

WorkerMemoryPool::Lease::Lease(WorkerMemoryPool &from, uint64_t local_bytes, uint64_t scratch_bytes,
                               std::span<const std::byte> arguments)
    : place(from.acquire()) {
  constexpr uint64_t kAbsurd = uint64_t{1} << 40; // keeps the sums below from overflowing
  if (local_bytes > kAbsurd || scratch_bytes > kAbsurd)
    return;
  const size_t scratch_at = padded(arguments.size());
  const size_t local_at = scratch_at + padded(scratch_bytes);
  GrowingBlock &block = place != nullptr ? place->block : own;
  if (!block.reserve(local_at + padded(local_bytes)))
    return;
  if (!arguments.empty())
    std::memcpy(block.data(), arguments.data(), arguments.size());
  packed = block.data();
  worker = {block.data() + local_at, block.data() + scratch_at, local_bytes, scratch_bytes};
  valid = true;
}

WorkerMemoryPool::Lease::~Lease() {
  if (place != nullptr)
    release(*place);
}

} // namespace lanecl::scheduler
