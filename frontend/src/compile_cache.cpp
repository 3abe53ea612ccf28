#include "compile_cache.h"

#include "byte_stream.h"
#include "frontend/disk_cache.h"
#include "hash.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <algorithm>

namespace lanecl::frontend {
namespace {

constexpr const char *kFormat = "lanecl-compile-1"; // changes with anything that changes the IR of the same source

// Text whose meaning depends on when it is compiled.
bool dependsOnTime(llvm::StringRef text) {
  return text.contains("__DATE__") || text.contains("__TIME__") || text.contains("__TIMESTAMP__");
}

std::optional<std::string> hashFile(const std::string &path) {
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file || dependsOnTime((*file)->getBuffer()))
    return std::nullopt;
  return hashOf((*file)->getBuffer());
}

std::string workingDirectory() {
  llvm::SmallString<256> path;
  return llvm::sys::fs::current_path(path) ? std::string() : std::string(path);
}

} // namespace

CachedCompile::CachedCompile(const CompileRequest &request, const std::string &options, const std::string &source_name)
    : cache(request.traits.cache.get()) {
  const auto in_header = [](const Header &header) { return dependsOnTime(header.source); };
  if (!cache || dependsOnTime(request.source) || dependsOnTime(options) ||
      std::any_of(request.headers.begin(), request.headers.end(), in_header))
    return;
  Hasher hasher;
  hasher.add(kFormat).add(request.prefix.fingerprint()).add(options).add(source_name).add(request.source);
  for (unsigned size : request.traits.sub_group_sizes)
    hasher.add(std::to_string(size));
  for (const Header &header : request.headers)
    hasher.add(header.name).add(header.source);
  // Where includes are searched, and what debug information names. A macro may spell the file, hence the plain test.
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
  uint64_t files = 0;
  if (!reader.text(object.log) || !reader.text(object.bitcode) || !reader.number(files))
    return std::nullopt;
  for (uint64_t i = 0; i < files; ++i) {
    std::string path, hash;
    if (!reader.text(path) || !reader.text(hash) || hashFile(path) != hash)
      return std::nullopt;
  }
  object.success = true;
  return object;
}

void CachedCompile::store(const ObjectCode &object) const {
  if (key.empty() || !object.success)
    return;
  ByteWriter writer;
  writer.text(object.log).text(object.bitcode).number(object.disk_files.size());
  for (const std::string &path : object.disk_files) {
    const std::optional<std::string> hash = hashFile(path);
    if (!hash)
      return;
    writer.text(path).text(*hash);
  }
  cache->store(key, writer.take());
}

} // namespace lanecl::frontend
