// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The disk cache: what an entry looks like, in which file it lies, and which entries are pruned.
#include "frontend/disk_cache.h"

#include "cache/cache_folder.h"
#include "vectorizer/content_hash.h"

#include "llvm/Support/xxhash.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cerrno>
#include <cstring>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace lanecl::frontend {
namespace {

constexpr char kMagic[8] = {'L', 'A', 'N', 'E', 'C', 'A', 'C', '1'};

// The start of an entry's file. Key and value follow.
struct EntryHeader {
  char magic[8];
  uint64_t key_bytes;
  uint64_t value_bytes;
  uint64_t checksum; // checksum of key and value
};

uint64_t checksumOf(std::string_view key_and_value) {
  return llvm::xxh3_64bits(llvm::StringRef(key_and_value.data(), key_and_value.size()));
}

// Returns the value, or nothing when the entry is damaged or belongs to another key.
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

// Rounds the size of a file up to whole disk blocks, because most entries are smaller than one block.
constexpr uint64_t kBlock = 4096;
uint64_t occupied(uint64_t bytes) {
  return (bytes + kBlock - 1) / kBlock * kBlock;
}

// Whether the file is the temporary file of a process that ended while it was writing. Entries have no dot in their
// names. Sources that debuggers read end in .cl, disassemblies of SPIR-V in .spvasm.
bool isAbandoned(const CacheFolder::File &file, std::chrono::nanoseconds now) {
  const size_t dot = file.name.find_last_of('.');
  if (dot == std::string::npos)
    return false;
  const std::string_view ending = std::string_view(file.name).substr(dot);
  return ending != ".cl" && ending != ".spvasm" && now - file.used > std::chrono::hours(1);
}

std::chrono::nanoseconds timeNow() {
  return std::chrono::system_clock::now().time_since_epoch();
}

// A histogram of file sizes over the time since their last use. There may be hundreds of thousands of files, so the
// files themselves are not kept. Ages that differ by less than one part in 64 fall into the same bin.
class Ages {
public:
  void add(std::chrono::nanoseconds last, uint64_t bytes) {
    const size_t step = stepOf(last);
    assert(step < counts.size() && "the file is older than any");
    counts[step] += bytes;
  }

  // Chooses the oldest files, up to `bytes` bytes: takes() accepts them from now on.
  void choose(uint64_t bytes) {
    assert(bytes != 0 && "no file would be removed");
    for (left = bytes, chosen = counts.size() - 1; chosen > 0 && counts[chosen] < left; --chosen)
      left -= counts[chosen];
  }
  // Whether the file is among those chosen. The youngest chosen bin gives only as many files as are needed.
  bool takes(std::chrono::nanoseconds last, uint64_t bytes) {
    const size_t step = stepOf(last);
    if (step != chosen || left == 0)
      return step > chosen;
    left -= std::min(left, bytes);
    return true;
  }

private:
  static constexpr unsigned kFineBits = 6;

  // Returns the bin of an age. Bins are spaced like floating-point numbers: the exponent and the first six bits of the
  // mantissa make the number of the bin, and small ages have bins of their own.
  size_t stepOf(std::chrono::nanoseconds last) const {
    const auto age = static_cast<uint64_t>(std::max<int64_t>((now - last).count(), 0));
    const unsigned width = std::bit_width(age);
    if (width <= kFineBits)
      return age;
    const unsigned shift = width - kFineBits - 1;
    return (size_t(shift) << kFineBits) + (age >> shift);
  }

  const std::chrono::nanoseconds now = timeNow();
  std::vector<uint64_t> counts = std::vector<uint64_t>((64 - kFineBits + 1) << kFineBits);
  size_t chosen = 0;
  uint64_t left = 0;
};

// Returns the file of an entry. Entries have a folder of their own, so that pruning does not touch other files.
std::string fileOf(const std::string &key) {
  const std::string name = hashOf(key);
  return "entries/" + name.substr(0, 2) + "/" + name.substr(2);
}

// Whether this process's user owns the folder, and so is the one who fills a shared cache.
bool isOwn(const std::string &path) {
  struct stat status;
  return !path.empty() && lstat(path.c_str(), &status) == 0 && status.st_uid == geteuid();
}

} // namespace

// One folder of the cache, and the text of the warning that is printed once if the folder is not trusted.
struct DiskCache::Place {
  Place(CacheFolder folder, std::string what, std::string remedy)
      : folder(std::move(folder)), what(std::move(what)), remedy(std::move(remedy)) {}

  const CacheFolder folder;
  const std::string what, remedy; // the subject and the advice of the report
  std::atomic_flag reported;

  void tell(const std::string &refusal, const std::function<void(const std::string &)> &report) {
    if (!refusal.empty() && report && !reported.test_and_set())
      report(what + " does not use " + refusal + "; " + remedy);
  }
};

// The owner of a shared cache uses it as its own. Other users have two places, of which they write to the first only.
DiskCache::DiskCache(Settings config)
    : writer(std::move(config.writer)), limit(config.limit_bytes), report(std::move(config.report)) {
  const char *const administrator = "it must be readable by its users and belong to root";
  if (isOwn(config.shared)) {
    own = std::make_unique<Place>(CacheFolder(config.shared, Readers::Everybody), "the shared cache", administrator);
    return;
  }
  own = std::make_unique<Place>(CacheFolder(config.directory), "the cache of compiled kernels",
                                "set LANECL_CACHE_DIR to another folder, or set LANECL_CACHE=off");
  if (config.shared.empty())
    return;
  shared = std::make_unique<Place>(CacheFolder(config.shared), "the shared cache", administrator);
  if (struct stat status; lstat(config.shared.c_str(), &status) != 0)
    shared->tell(config.shared + ": " + strerror(errno), report);
}

DiskCache::~DiskCache() = default;

// Returns the key that the entry contains: the hash of the writer, and the caller's key.
std::string DiskCache::fullKey(std::string_view key) const {
  return ContentHash().add(writer).hex() + ":" + std::string(key);
}

// Loads an entry from one of the two folders. Damaged entries are removed from the own folder only.
std::optional<std::string> DiskCache::loadFrom(Place &place, const std::string &key) {
  std::string refusal;
  std::optional<std::string> bytes = place.folder.read(fileOf(key), refusal);
  place.tell(refusal, report);
  if (!bytes)
    return std::nullopt;
  std::optional<std::string> value = unpack(std::move(*bytes), key);
  if (!value && &place == own.get())
    place.folder.remove(fileOf(key));
  return value;
}

std::optional<std::string> DiskCache::load(std::string_view key) {
  const std::string full = fullKey(key);
  std::optional<std::string> value = loadFrom(*own, full);
  return value || !shared ? std::move(value) : loadFrom(*shared, full);
}

void DiskCache::store(std::string_view key, std::string_view bytes) {
  if (bytes.size() > limit / 4)
    return;
  const std::string full = fullKey(key);
  std::string content(sizeof(EntryHeader), '\0');
  content.append(full).append(bytes);
  EntryHeader header{{}, full.size(), bytes.size(), checksumOf(std::string_view(content).substr(sizeof(EntryHeader)))};
  std::memcpy(header.magic, kMagic, sizeof kMagic);
  std::memcpy(content.data(), &header, sizeof header);
  std::string refusal;
  const bool written = own->folder.write(fileOf(full), content, refusal);
  own->tell(refusal, report);
  // Pruning reads the whole folder, so it happens only once for a sixteenth of the limit on average. The checksum
  // serves as a random number that decides when: a counter would never get anywhere in many short processes.
  if (written && header.checksum % std::max<uint64_t>(limit / 16, 1) < occupied(content.size()))
    prune();
}

void DiskCache::remove(std::string_view key) {
  own->folder.remove(fileOf(fullKey(key)));
}

std::string DiskCache::keepSource(const std::string &name, std::string_view text) {
  const std::string file = "sources/" + name;
  std::string refusal;
  const bool kept = own->folder.read(file, refusal) == text || own->folder.write(file, text, refusal = {});
  own->tell(refusal, report);
  return kept ? own->folder.path() + "/" + file : std::string();
}

// Removes the least recently used files in two sweeps. The first one measures the files, and the second one removes the
// oldest until an eighth of the limit is free. Sources of programs are pruned together with entries.
void DiskCache::prune() {
  const auto sweep = [&](const auto &visit) {
    for (const char *top : {"entries", "sources"})
      own->folder.sweep(top, visit);
  };
  Ages ages;
  uint64_t total = 0;
  sweep([&, now = timeNow()](const CacheFolder::File &file) {
    if (isAbandoned(file, now))
      return false;
    ages.add(file.used, occupied(file.bytes));
    total += occupied(file.bytes);
    return true;
  });
  if (total <= limit)
    return;
  // Frees an eighth of the limit, so that the next store does not prune again.
  const uint64_t goal = limit - limit / 8;
  ages.choose(total - goal);
  sweep([&](const CacheFolder::File &file) { return !ages.takes(file.used, occupied(file.bytes)); });
}

} // namespace lanecl::frontend
