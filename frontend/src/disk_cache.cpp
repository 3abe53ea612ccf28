#include "frontend/disk_cache.h"

#include "atomic_file.h"
#include "hash.h"

#include "llvm/Support/xxhash.h"

#include <algorithm>
#include <bit>
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

// Calls `visit(path, last use, bytes)` for every file, which may remove it. Abandoned files go on the way.
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
      visit(it->path(), last, occupied(bytes));
  }
}

// How many bytes were last used how long ago. There may be hundreds of thousands of files: nothing is kept of the
// single one, and ages that differ by less than a 64th count as one.
class Ages {
public:
  void add(fs::file_time_type last, uint64_t bytes) { counts[stepOf(last)] += bytes; }

  // From now on takes() chooses the oldest files, for `bytes` bytes.
  void choose(uint64_t bytes) {
    for (left = bytes, chosen = counts.size() - 1; chosen > 0 && counts[chosen] < left; --chosen)
      left -= counts[chosen];
  }
  bool takes(fs::file_time_type last, uint64_t bytes) {
    const size_t step = stepOf(last);
    if (step != chosen || left == 0)
      return step > chosen;
    left -= std::min(left, bytes);
    return true;
  }

private:
  static constexpr unsigned kFineBits = 6;

  // Floating point without a point: the exponent, and the first bits below the leading one.
  size_t stepOf(fs::file_time_type last) const {
    const auto age = static_cast<uint64_t>(std::max<int64_t>((now - last).count(), 0));
    const unsigned width = std::bit_width(age);
    if (width <= kFineBits)
      return age;
    const unsigned shift = width - kFineBits - 1;
    return (size_t(shift) << kFineBits) + (age >> shift);
  }

  const fs::file_time_type now = fs::file_time_type::clock::now();
  std::vector<uint64_t> counts = std::vector<uint64_t>((64 - kFineBits + 1) << kFineBits);
  size_t chosen = 0;
  uint64_t left = 0;
};

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
  // Pruning reads the whole folder, once for a sixteenth of the limit on average. That the checksum says when, and not
  // a count, lets any number of short processes keep to it together.
  if (header.checksum % std::max<uint64_t>(limit / 16, 1) < occupied(content.size()))
    prune();
}

void DiskCache::remove(std::string_view key) {
  std::error_code ignored;
  if (!root.empty())
    fs::remove(pathOf(key), ignored);
}

void DiskCache::prune() {
  const auto forEachEntry = [&](auto visit) {
    for (const char *folder : {"entries", "sources"})
      forEachFile(fs::path(root) / folder, visit);
  };
  Ages ages;
  uint64_t total = 0;
  forEachEntry([&](const fs::path &, fs::file_time_type last, uint64_t bytes) {
    ages.add(last, bytes);
    total += bytes;
  });
  if (total <= limit)
    return;
  const uint64_t goal = limit - limit / 8; // some room, so that the next store does not prune again
  ages.choose(total - goal);
  forEachEntry([&](const fs::path &path, fs::file_time_type last, uint64_t bytes) {
    std::error_code ignored;
    if (ages.takes(last, bytes))
      fs::remove(path, ignored);
  });
}

} // namespace lanecl::frontend
