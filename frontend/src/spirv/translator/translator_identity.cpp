// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "spirv/translator/translator_identity.h"

#include "cache/build_id.h"
#include "frontend/disk_cache.h"
#include "opencl_c/child_process.h"
#include "vectorizer/content_hash.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/MemoryBuffer.h"

#include <map>
#include <mutex>
#include <optional>
#include <sys/stat.h>
#include <tuple>

namespace lanecl::frontend::spirv {
namespace {

// The time after which the dynamic loader is killed.
constexpr std::chrono::seconds kLoaderLimit{10};

// Returns the dynamic loader that the program's file names. The result is empty if the file names none, or is a script.
std::string loaderOf(const std::string &program) {
  auto file = llvm::MemoryBuffer::getFile(program, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!file)
    return {};
  auto elf = llvm::object::ELFFile<llvm::object::ELF64LE>::create((*file)->getBuffer());
  if (!elf)
    return llvm::consumeError(elf.takeError()), std::string();
  auto segments = elf->program_headers();
  if (!segments)
    return llvm::consumeError(segments.takeError()), std::string();
  for (const auto &segment : *segments)
    if (segment.p_type == llvm::ELF::PT_INTERP)
      return (*file)->getBuffer().substr(segment.p_offset, segment.p_filesz).split('\0').first.str();
  return {};
}

// Returns the paths in the loader's listing, one per line. The listing consists of lines such as
//   libLLVM-15.so.1 => /lib/x86_64-linux-gnu/libLLVM-15.so.1 (0x00007f0046000000)
std::string pathsOf(llvm::StringRef listing) {
  std::string paths;
  llvm::SmallVector<llvm::StringRef, 32> lines;
  listing.split(lines, '\n');
  for (const llvm::StringRef line : lines)
    if (const llvm::StringRef path = line.split("=> ").second.split(" (").first; path.starts_with("/"))
      paths += path.str() + "\n";
  return paths;
}

// Returns the libraries of a program, one path per line, or nothing if the loader does not find them all. The list is
// cached under the contents of /etc/ld.so.cache, through which they are found and which every installation of a library
// rewrites.
std::optional<std::string> librariesOf(const std::string &program, const std::string &identity, DiskCache &cache) {
  const std::string loader = loaderOf(program);
  if (loader.empty())
    return std::string();
  const std::string key =
      "libraries:" + ContentHash().add(program).add(identity).add(identityOfFile("/etc/ld.so.cache")).hex();
  if (std::optional<std::string> known = cache.load(key))
    return known;
  const ChildResult listed = runChild(loader, {"--list", program}, "", kLoaderLimit);
  if (!listed.failure.empty())
    return std::nullopt;
  const std::string paths = pathsOf(listed.output);
  if (!paths.empty())
    cache.store(key, paths);
  return paths;
}

// Returns identityOfFile(). It is computed again only when the file has changed.
std::string rememberedIdentity(const std::string &path) {
  using State = std::tuple<dev_t, ino_t, off_t, time_t, long, time_t, long>;
  struct Known {
    State state;
    std::string identity;
  };
  // Both objects are never destroyed, because compilations may run until the process ends.
  static std::mutex &mutex = *new std::mutex;
  static auto &known = *new std::map<std::string, Known>;
  struct stat status;
  if (stat(path.c_str(), &status) != 0)
    return {};
  const State state{status.st_dev,          status.st_ino,         status.st_size,        status.st_mtim.tv_sec,
                    status.st_mtim.tv_nsec, status.st_ctim.tv_sec, status.st_ctim.tv_nsec};
  const std::lock_guard lock(mutex);
  Known &entry = known[path];
  if (entry.state != state || entry.identity.empty())
    entry = {state, identityOfFile(path)};
  return entry.identity;
}

} // namespace

// The identity consists of the build ids, or hashes, of the program and of all libraries that it loads. If these are
// not known there is no identity, so that what the program makes is not cached: another library could make something
// else.
std::string translatorIdentity(const std::string &program, DiskCache &cache) {
  const std::string identity = rememberedIdentity(program);
  if (identity.empty())
    return {};
  const std::optional<std::string> libraries = librariesOf(program, identity, cache);
  if (!libraries)
    return {};
  ContentHash hasher;
  hasher.add(identity);
  llvm::SmallVector<llvm::StringRef, 32> paths;
  llvm::StringRef(*libraries).split(paths, '\n', -1, /*KeepEmpty=*/false);
  for (const llvm::StringRef path : paths) {
    const std::string library = rememberedIdentity(path.str());
    if (library.empty())
      return {};
    hasher.add(library);
  }
  return hasher.hex();
}

} // namespace lanecl::frontend::spirv
