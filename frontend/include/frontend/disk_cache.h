// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Blobs in a folder, kept between runs. Safe with several threads and several processes on the same folder. Its
// contents may be executed, so it only uses files and folders that belong to root or to this process's user, and that
// no other user can write to.
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

// A failing disk is never an error for the caller: load() finds nothing, store() keeps nothing.
class DiskCache {
public:
  static constexpr uint64_t kDefaultLimit = uint64_t(1) << 30;
  struct Config {
    // The user's own, with files that no other user may read. Made at the first store. Empty: none.
    std::string directory = {};
    // A cache for several users, which has to exist. Its owner stores there, instead of in `directory`, files that all
    // users may read; other users read them in addition to their own and never write. Empty: none.
    std::string shared = {};
    // Identifies the build that writes the entries; entries of another one are not found.
    std::string writer = {};
    // Of disk space; the least recently used entries are removed when it is exceeded.
    uint64_t limit_bytes = kDefaultLimit;
    // Called once for each of the two folders, with the reason why it, or something in it, is not used.
    std::function<void(const std::string &)> report = {};
  };
  explicit DiskCache(Config config);
  ~DiskCache();

  // Nothing when there is no entry. An entry whose checksum is wrong is removed.
  std::optional<std::string> load(std::string_view key);
  void store(std::string_view key, std::string_view bytes);
  void remove(std::string_view key);

  // Removes the least recently used entries until the rest fits. store() calls it only sometimes, so the folder may
  // exceed the limit by some sixteenths.
  void prune();

  // Keeps a text as a file that debuggers show, and returns its path; empty when it cannot be written.
  std::string keepSource(const std::string &name, std::string_view text);

private:
  struct Place; // one of the two folders
  std::string fullKey(std::string_view key) const;
  std::optional<std::string> loadFrom(Place &place, const std::string &key);

  const std::string writer;
  const uint64_t limit;
  const std::function<void(const std::string &)> report;
  std::unique_ptr<Place> own, shared; // shared: null unless it is another user's
};

} // namespace lanecl::frontend
