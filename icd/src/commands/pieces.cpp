#include "commands/pieces.h"

#include <algorithm>
#include <cstring>

namespace lanecl::icd {
namespace {

constexpr size_t kPieceBytes = size_t(256) << 10; // fits the cache of a core

struct Pieces {
  size_t bytes;
  std::function<void(size_t begin, size_t end)> piece;
};

void run(const abi::LaunchInfo *info, const abi::WorkerMemory *, const uint64_t *, uint64_t begin, uint64_t end,
         uint64_t, uint64_t) {
  const Pieces *pieces = nullptr;
  std::memcpy(&pieces, info->arguments, sizeof pieces);
  pieces->piece(begin * kPieceBytes, std::min(end * kPieceBytes, pieces->bytes));
}

} // namespace

scheduler::Launch inPieces(size_t bytes, std::function<void(size_t begin, size_t end)> piece) {
  const auto pieces = std::make_shared<const Pieces>(Pieces{bytes, std::move(piece)});
  const Pieces *const address = pieces.get();
  const uint64_t count = (bytes + kPieceBytes - 1) / kPieceBytes;
  scheduler::Launch launch;
  launch.entry = run;
  launch.info.work_dim = 1;
  for (int d = 0; d < 3; ++d) {
    launch.info.global_size[d] = launch.info.num_groups[d] = d == 0 ? count : 1;
    launch.info.enqueued_local_size[d] = 1;
  }
  launch.arguments.resize(sizeof address);
  std::memcpy(launch.arguments.data(), &address, sizeof address);
  launch.keep_alive = pieces;
  return launch;
}

} // namespace lanecl::icd
