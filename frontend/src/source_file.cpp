#include "source_file.h"

#include "atomic_file.h"
#include "frontend/disk_cache.h"
#include "hash.h"

#include "llvm/Support/MemoryBuffer.h"

#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

namespace lanecl::frontend {
namespace {

namespace fs = std::filesystem;

fs::path sourceDirectory(const DiskCache *cache) {
  if (cache && !cache->directory().empty())
    return fs::path(cache->directory()) / "sources";
  std::error_code error;
  const fs::path temporary = fs::temp_directory_path(error);
  if (error)
    return {};
  return temporary / ("lanecl-" + std::to_string(getuid()));
}

// The temporary folder is everybody's: somebody else may have made ours before us.
bool isForeign(const fs::path &directory) {
  struct stat status;
  return lstat(directory.c_str(), &status) == 0 && (!S_ISDIR(status.st_mode) || status.st_uid != getuid());
}

} // namespace

std::string writeSourceFile(const DiskCache *cache, const std::string &source) {
  const fs::path directory = sourceDirectory(cache);
  if (directory.empty() || isForeign(directory))
    return {};
  const std::string path = (directory / (hashOf(source).substr(0, 16) + ".cl")).string();
  if (auto existing = llvm::MemoryBuffer::getFile(path); existing && (*existing)->getBuffer() == source)
    return path;
  return writeFileAtomically(path, source) ? path : std::string();
}

} // namespace lanecl::frontend
