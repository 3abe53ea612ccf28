// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Runs work on several threads, one per processor, for the references in C++.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace bench::native {

inline unsigned threadCount() {
  return std::max(1u, std::thread::hardware_concurrency());
}

// Calls work(i) for each i below `count`, which is at least 1. Each call has a thread of its own; the last one runs on
// the calling thread. Returns when all calls have returned.
template <typename Work> void onThreads(unsigned count, const Work &work) {
  std::vector<std::jthread> threads;
  for (unsigned i = 0; i + 1 < count; ++i)
    threads.emplace_back([&work, i] { work(i); });
  work(count - 1);
}

// Calls work(begin, end) for chunks of [0, size). All chunks but the last have `grain` elements. Each thread takes the
// next chunk when it has finished one, so a thread that the system preempts delays the others by one chunk at most.
template <typename Work> void inRanges(size_t size, size_t grain, const Work &work) {
  std::atomic<size_t> next = 0;
  onThreads(threadCount(), [&](unsigned) {
    for (size_t begin = next.fetch_add(grain); begin < size; begin = next.fetch_add(grain))
      work(begin, std::min(begin + grain, size));
  });
}

} // namespace bench::native
