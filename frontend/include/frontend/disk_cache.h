// Blobs in a folder, kept between runs. Safe with several threads and several processes on the same folder.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lanecl::frontend {

// A failing disk is never an error for the caller: load() finds nothing, store() keeps nothing.
class DiskCache {
public:
  static constexpr uint64_t kDefaultLimit = uint64_t(1) << 30;
  // The folder is made at the first store. `writer`: names the build that makes the entries, another one's are not
  // found. `limit_bytes`: of the disk; the least recently used entries go when it is exceeded.
  explicit DiskCache(std::string directory, std::string writer = {}, uint64_t limit_bytes = kDefaultLimit);

  // Nothing when there is no entry. An entry whose checksum is wrong is removed and counts as none.
  std::optional<std::string> load(std::string_view key);
  void store(std::string_view key, std::string_view bytes);
  void remove(std::string_view key);

  // Removes the least recently used entries until the rest fits. store() calls it now and then, so that the folder may
  // grow over the limit by some sixteenths.
  void prune();

  const std::string &directory() const { return root; }

private:
  std::string pathOf(std::string_view key) const;

  std::string root, writer;
  uint64_t limit;
};

} // namespace lanecl::frontend
