// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "opencl_c/compile_cache.h"

#include "cache/byte_stream.h"
#include "frontend/disk_cache.h"
#include "vectorizer/content_hash.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <algorithm>

namespace lanecl::frontend {
namespace {

// A part of every key. It changes with everything that changes the IR of the same source.
constexpr const char *kFormat = "lanecl-compile-3";

// Returns the process's working directory, or an empty text if it cannot be found out.
std::string workingDirectory() {
  llvm::SmallString<256> path;
  return llvm::sys::fs::current_path(path) ? std::string() : std::string(path);
}

// Writes which files the result depends on, with their hashes. Returns false when they do not determine the result.
bool writeDiskUse(const ObjectCode &object, ByteWriter &writer) {
  const DiskUse &use = object.disk_use;
  writer.text(use.files.empty() && use.missing.empty() ? "" : object.working_directory);
  writer.number(use.files.size());
  for (const auto &[path, read] : use.files) {
    // A file that Clang found but did not read is hashed now.
    const std::optional<std::string> hash = read.empty() ? hashFile(path) : read;
    if (!hash)
      return false;
    writer.text(path).text(*hash);
  }
  writer.number(use.missing.size());
  for (const std::string &path : use.missing)
    writer.text(path);
  return !use.depends_on_time;
}

// Reads what writeDiskUse() has written. Returns true if Clang would now find the same files with the same contents,
// and would still not find those that were missing.
bool diskIsAsItWas(ByteReader &reader) {
  std::string directory, path, hash;
  uint64_t files = 0, missing = 0;
  if (!reader.text(directory) || !(directory.empty() || directory == workingDirectory()) || !reader.number(files))
    return false;
  for (; files > 0; --files)
    if (!reader.text(path) || !reader.text(hash) || hashFile(path) != hash)
      return false;
  if (!reader.number(missing))
    return false;
  for (; missing > 0; --missing)
    if (!reader.text(path) || llvm::sys::fs::exists(path))
      return false;
  return true;
}

} // namespace

// The key is empty, and nothing is cached, if a source, a header or a macro of the options depends on the time.
CachedCompile::CachedCompile(const CompileRequest &request, const std::string &options, const std::string &source_name)
    : cache(request.traits.cache.get()) {
  const auto in_header = [](const Header &header) { return dependsOnTime(header.source); };
  if (!cache || dependsOnTime(request.source) || dependsOnTime(options) ||
      std::any_of(request.headers.begin(), request.headers.end(), in_header))
    return;
  ContentHash hasher;
  hasher.add(kFormat).add(request.prefix.fingerprint()).add(options).add(source_name).add(request.source);
  for (unsigned size : request.traits.sub_group_sizes)
    hasher.add(std::to_string(size));
  for (const Header &header : request.headers)
    hasher.add(header.name).add(header.source);
  // The working directory decides what #include finds, and is part of the debug information. A macro may name the
  // included file, so any occurrence of the word "include" counts.
  if (request.options.debug || llvm::StringRef(request.source).contains("include") || !request.headers.empty())
    hasher.add(workingDirectory());
  key = "compile:" + hasher.hex();
}

std::optional<ObjectCode> CachedCompile::load() const {
  if (key.empty())
    return std::nullopt;
  const std::optional<std::string> bytes = cache->load(key);
  if (!bytes)
    return std::nullopt;
  ByteReader reader(*bytes);
  ObjectCode object;
  if (!reader.text(object.log) || !reader.text(object.bitcode) || !diskIsAsItWas(reader))
    return std::nullopt;
  object.success = true;
  return object;
}

// Keeps the result, unless the files on the disk do not determine it.
void CachedCompile::store(const ObjectCode &object) const {
  if (key.empty() || !object.success)
    return;
  ByteWriter writer;
  writer.text(object.log).text(object.bitcode);
  if (writeDiskUse(object, writer))
    cache->store(key, writer.take());
}

} // namespace lanecl::frontend
