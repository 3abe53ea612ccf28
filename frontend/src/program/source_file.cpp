// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Writes source texts to files whose names are their hashes.
#include "program/source_file.h"

#include "cache/cache_folder.h"
#include "frontend/disk_cache.h"
#include "vectorizer/content_hash.h"

#include <filesystem>
#include <unistd.h>

namespace lanecl::frontend {
namespace {

// Writes the file in the system's temporary folder, where every user can write. The folder we use there is not trusted
// if another user has already made it.
std::string keepInTemporaryFolder(const std::string &name, const std::string &source) {
  std::error_code error;
  const std::filesystem::path temporary = std::filesystem::temp_directory_path(error);
  if (error)
    return {};
  const CacheFolder folder((temporary / ("lanecl-" + std::to_string(geteuid()))).string());
  std::string refusal;
  const bool kept = folder.read(name, refusal) == source || folder.write(name, source, refusal = {});
  return kept ? folder.path() + "/" + name : std::string();
}

} // namespace

std::string writeSourceFile(DiskCache *cache, const std::string &source, const std::string &ending) {
  const std::string name = hashOf(source).substr(0, 16) + ending;
  std::string path = cache ? cache->keepSource(name, source) : std::string();
  return path.empty() ? keepInTemporaryFolder(name, source) : path;
}

} // namespace lanecl::frontend
