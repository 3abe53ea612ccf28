// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Keeps blobs in a folder between runs. Several threads and several processes may use the same folder at once.
//
// The contents may be executed, so the cache only uses files and folders that belong to root or to this process's user,
// and that no other user can write to.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace lanecl::frontend {

class CacheFolder;

// A cache from keys to blobs. A failing disk is never an error for the caller: load() finds nothing, store() keeps
// nothing.
class DiskCache {
public:
  // The default of Settings::limit_bytes: 1 GiB.
  static constexpr uint64_t kDefaultLimit = uint64_t(1) << 30;
  struct Settings {
    // The user's own folder, which is made at the first store. No other user may read its files. The path
    // is empty if there is none.
    std::string directory = {};
    // The folder of a cache for several users, which has to exist. Its owner stores there, instead of in `directory`,
    // files that all users may read. Other users read these files in addition to their own and never write them.
    // The path is empty if there is none.
    std::string shared = {};
    // Identifies the build that writes the entries. Entries of another build are not found.
    std::string writer = {};
    // Disk space in bytes. When the cache exceeds it, the least recently used entries are removed.
    uint64_t limit_bytes = kDefaultLimit;
    // Called at most once for each of the two folders, with the reason why the folder, or something in it, is not used.
    std::function<void(const std::string &)> report = {};
  };
  explicit DiskCache(Settings config);
  ~DiskCache();

  // Returns the blob stored under `key`, or nothing when there is no entry. Removes an entry of the user's own folder
  // whose checksum is wrong.
  std::optional<std::string> load(std::string_view key);
  // Stores `bytes` under `key`, replacing an earlier entry. Blobs larger than a quarter of the limit are not kept.
  void store(std::string_view key, std::string_view bytes);
  void remove(std::string_view key);

  // Removes the least recently used entries until the rest fits. store() calls it only now and then, so the folder may
  // exceed the limit by a few sixteenths.
  void prune();

  // Keeps a text as a file that debuggers show, and returns its path, or an empty path when it cannot be written.
  std::string keepSource(const std::string &name, std::string_view text);

private:
  struct Place; // one of the two folders
  std::string fullKey(std::string_view key) const;
  std::optional<std::string> loadFrom(Place &place, const std::string &key);

  const std::string writer;
  const uint64_t limit;
  const std::function<void(const std::string &)> report;
  std::unique_ptr<Place> own, shared; // shared: null unless the shared cache belongs to another user
};

} // namespace lanecl::frontend
