#include "frontend/disk_cache.h"

#include "atomic_file.h"
#include "hash.h"

#include "llvm/Support/xxhash.h"

#include <algorithm>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <vector>

namespace lanecl::frontend {
namespace {

namespace fs = std::filesystem;

constexpr char kMagic[8] = {'L', 'A', 'N', 'E', 'C', 'A', 'C', '1'};

struct EntryHeader {
  char magic[8];
  uint64_t key_bytes;
  uint64_t value_bytes;
  uint64_t checksum; // of key and value
};

uint64_t checksumOf(std::string_view key_and_value) {
  return llvm::xxh3_64bits(llvm::StringRef(key_and_value.data(), key_and_value.size()));
}

std::optional<std::string> readFile(const std::string &path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file)
    return std::nullopt;
  const std::streamoff size = file.tellg();
  if (size < 0)
    return std::nullopt;
  std::string bytes(static_cast<size_t>(size), '\0');
  file.seekg(0);
  if (!file.read(bytes.data(), size))
    return std::nullopt;
  return bytes;
}

// The value, or nothing when the entry is damaged or belongs to another key.
std::optional<std::string> unpack(std::string &&bytes, std::string_view key) {
  EntryHeader header;
  if (bytes.size() < sizeof header)
    return std::nullopt;
  std::memcpy(&header, bytes.data(), sizeof header);
  const std::string_view content = std::string_view(bytes).substr(sizeof header);
  if (std::memcmp(header.magic, kMagic, sizeof kMagic) != 0 || header.key_bytes != key.size() ||
      content.size() < key.size() || header.value_bytes != content.size() - key.size() ||
      content.substr(0, key.size()) != key || header.checksum != checksumOf(content))
    return std::nullopt;
  bytes.erase(0, sizeof header + key.size());
  return std::move(bytes);
}

// What pruning remembers of a file: a few bytes each, for there may be hundreds of thousands, and not their names.
struct Use {
  fs::file_time_type last;
  uint64_t bytes;
};

// What a file takes on the disk: most entries are smaller than one of its blocks.
constexpr uint64_t kBlock = 4096;
uint64_t occupied(uint64_t bytes) {
  return (bytes + kBlock - 1) / kBlock * kBlock;
}

// A writer that died leaves its temporary file behind.
bool isAbandoned(const fs::path &path, fs::file_time_type used) {
  const bool temporary = path.extension() != ".cl" && path.has_extension();
  return temporary && fs::file_time_type::clock::now() - used > std::chrono::hours(1);
}

// Calls `visit(path, use)` for every file, which may remove it. Abandoned files go on the way.
template <class Visit> void forEachFile(const fs::path &folder, Visit visit) {
  std::error_code error;
  fs::recursive_directory_iterator it(folder, fs::directory_options::skip_permission_denied, error), end;
  for (; !error && it != end; it.increment(error)) {
    std::error_code failed; // another process may have removed it
    if (!it->is_regular_file(failed))
      continue;
    const auto last = it->last_write_time(failed);
    const uint64_t bytes = failed ? 0 : it->file_size(failed);
    if (failed)
      continue;
    if (isAbandoned(it->path(), last))
      fs::remove(it->path(), failed);
    else
      visit(it->path(), Use{last, occupied(bytes)});
  }
}

// What goes: everything used before `time`, and `bytes` of what was used just then, for clocks of files are coarse.
struct Cut {
  fs::file_time_type time;
  uint64_t bytes;
};

Cut cutFor(std::vector<Use> &uses, uint64_t excess) {
  std::sort(uses.begin(), uses.end(), [](const Use &a, const Use &b) { return a.last < b.last; });
  Cut cut{fs::file_time_type::min(), excess};
  uint64_t freed = 0;
  for (const Use &use : uses) {
    if (use.last != cut.time)
      cut = {use.last, excess - freed};
    freed += use.bytes;
    if (freed >= excess)
      break;
  }
  return cut;
}

bool goes(Cut &cut, const Use &use) {
  if (use.last != cut.time)
    return use.last < cut.time;
  const bool one_more = cut.bytes > 0;
  cut.bytes -= std::min(cut.bytes, use.bytes);
  return one_more;
}

} // namespace

DiskCache::DiskCache(std::string directory, std::string writer, uint64_t limit_bytes)
    : root(std::move(directory)), writer(std::move(writer)), limit(limit_bytes) {}

// Entries live in a folder of their own, so that pruning never meets a file that is none of ours.
std::string DiskCache::pathOf(std::string_view key) const {
  const std::string name = Hasher().add(writer).add(llvm::StringRef(key.data(), key.size())).hex();
  return root + "/entries/" + name.substr(0, 2) + "/" + name.substr(2);
}

std::optional<std::string> DiskCache::load(std::string_view key) {
  if (root.empty())
    return std::nullopt;
  const std::string path = pathOf(key);
  std::optional<std::string> bytes = readFile(path);
  if (!bytes)
    return std::nullopt;
  std::optional<std::string> value = unpack(std::move(*bytes), key);
  std::error_code ignored;
  if (value)
    utimensat(AT_FDCWD, path.c_str(), nullptr, 0); // now: the order of use decides what is pruned
  else
    fs::remove(path, ignored);
  return value;
}

void DiskCache::store(std::string_view key, std::string_view bytes) {
  if (root.empty() || bytes.size() > limit / 4)
    return;
  std::string content(sizeof(EntryHeader), '\0');
  content.append(key).append(bytes);
  EntryHeader header{{}, key.size(), bytes.size(), checksumOf(std::string_view(content).substr(sizeof(EntryHeader)))};
  std::memcpy(header.magic, kMagic, sizeof kMagic);
  std::memcpy(content.data(), &header, sizeof header);
  if (!writeFileAtomically(pathOf(key), content))
    return;
  const bool first = !pruned_once.exchange(true);
  if ((stored_since_prune += occupied(content.size())) > limit / 16 || first)
    prune();
}

void DiskCache::remove(std::string_view key) {
  std::error_code ignored;
  if (!root.empty())
    fs::remove(pathOf(key), ignored);
}

void DiskCache::prune() {
  stored_since_prune = 0;
  const auto forEachEntry = [&](auto visit) {
    for (const char *folder : {"entries", "sources"})
      forEachFile(fs::path(root) / folder, visit);
  };
  std::vector<Use> uses;
  uint64_t total = 0;
  forEachEntry([&](const fs::path &, const Use &use) {
    uses.push_back(use);
    total += use.bytes;
  });
  if (total <= limit)
    return;
  const uint64_t goal = limit - limit / 8; // some room, so that the next store does not prune again
  Cut cut = cutFor(uses, total - goal);
  forEachEntry([&](const fs::path &path, const Use &use) {
    std::error_code ignored;
    if (goes(cut, use))
      fs::remove(path, ignored);
  });
}

} // namespace lanecl::frontend
