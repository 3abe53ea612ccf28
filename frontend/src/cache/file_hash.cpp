// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "frontend/file_hash.h"

#include "cache/byte_stream.h"
#include "frontend/disk_cache.h"
#include "vectorizer/content_hash.h"

#include "llvm/Support/MemoryBuffer.h"

#include <algorithm>
#include <ctime>
#include <sys/stat.h>

namespace lanecl::frontend {
namespace {

// Seconds after which a file's time of change is trusted to tell versions apart. A file that is written twice within
// one step of its file system's clock keeps its time of change. Steps are at most 2 s long, so nothing is remembered
// about a file that has just been changed.
constexpr time_t kSettled = 3;

// The files' state without their contents.
struct State {
  std::string text; // differs whenever one of the files does
  // The latest time of change.
  time_t changed = 0;
};

// Reads the state of all files.
State stateOf(const std::vector<std::string> &paths) {
  ByteWriter writer;
  State state;
  for (const std::string &path : paths) {
    struct stat status;
    const bool exists = stat(path.c_str(), &status) == 0;
    writer.text(path).number(exists);
    if (!exists)
      continue;
    writer.number(status.st_dev).number(status.st_ino).number(uint64_t(status.st_size));
    for (const timespec &time : {status.st_mtim, status.st_ctim})
      writer.number(uint64_t(time.tv_sec)).number(uint64_t(time.tv_nsec));
    state.changed = std::max(state.changed, status.st_ctim.tv_sec);
  }
  state.text = writer.take();
  return state;
}

std::unique_ptr<llvm::MemoryBuffer> read(const std::string &path) {
  auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  return file ? std::move(*file) : nullptr;
}

// Returns the result that `cache` holds for these files, or else calls `hash` and stores its result. `purpose` tells
// functions apart that hash the same file. The state is read again after hashing, in case a file was changed meanwhile.
template <class Hash>
std::string remembered(const char *purpose, const std::vector<std::string> &paths, DiskCache *cache, Hash hash) {
  if (!cache)
    return hash();
  const time_t now = time(nullptr);
  const State before = stateOf(paths);
  const std::string key = purpose + hashOf(before.text);
  if (std::optional<std::string> known = cache->load(key))
    return *known;
  const std::string result = hash();
  if (before.changed + kSettled <= now && stateOf(paths).text == before.text)
    cache->store(key, result);
  return result;
}

} // namespace

std::string hashOfFile(const std::string &path, DiskCache *cache) {
  return remembered("file:", {path}, cache, [&] {
    const auto file = read(path);
    return file ? hashOf(std::string_view(file->getBuffer())) : std::string();
  });
}

std::string hashOfFiles(const std::vector<std::string> &paths, DiskCache *cache) {
  return remembered("files:", paths, cache, [&] {
    ContentHash hasher;
    for (const std::string &path : paths) {
      const auto file = read(path);
      hasher.add(path).add(file ? "file" : "missing").add(file ? std::string_view(file->getBuffer()) : "");
    }
    return hasher.hex();
  });
}

} // namespace lanecl::frontend
