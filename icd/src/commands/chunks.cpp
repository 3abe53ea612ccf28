// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A chunk is a work-group of a launch whose entry is a function of the host.

#include "commands/chunks.h"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace lanecl::icd {
namespace {

constexpr size_t kChunkBytes = size_t(256) << 10; // fits the cache of a core

// The only argument of the launch is a pointer to this.
struct Chunks {
  size_t bytes;
  std::function<void(size_t begin, size_t end)> run;
};

// The entry of the launch: an abi::WorkGroupFunction that processes the chunks [begin, end).
void runChunks(const abi::LaunchInfo *info, const abi::WorkerMemory *, const uint64_t *, uint64_t begin, uint64_t end,
               uint64_t, uint64_t) {
  const Chunks *chunks = nullptr;
  std::memcpy(&chunks, info->arguments, sizeof chunks);
  assert(begin < end && begin * kChunkBytes < chunks->bytes && "there is no such chunk");
  chunks->run(begin * kChunkBytes, std::min(end * kChunkBytes, chunks->bytes));
}

} // namespace

scheduler::Launch inChunks(size_t bytes, std::function<void(size_t begin, size_t end)> run) {
  const auto chunks = std::make_shared<const Chunks>(Chunks{bytes, std::move(run)});
  const Chunks *const address = chunks.get();
  const uint64_t count = (bytes + kChunkBytes - 1) / kChunkBytes;
  scheduler::Launch launch;
  launch.entry = runChunks;
  launch.info.work_dim = 1;
  for (int d = 0; d < 3; ++d) {
    launch.info.global_size[d] = launch.info.num_groups[d] = d == 0 ? count : 1;
    launch.info.enqueued_local_size[d] = 1;
  }
  launch.arguments.resize(sizeof address);
  std::memcpy(launch.arguments.data(), &address, sizeof address);
  launch.keep_alive = chunks;
  return launch;
}

} // namespace lanecl::icd
