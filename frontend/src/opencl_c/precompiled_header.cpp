// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Makes, keeps and finds the precompiled declarations of the built-ins.
#include "opencl_c/precompiled_header.h"

#include "clang_access/clang_calls.h"
#include "clang_access/clang_loader.h"
#include "frontend/disk_cache.h"
#include "frontend/file_hash.h"
#include "opencl_c/ready_header.h"
#include "vectorizer/content_hash.h"
#include "vectorizer/crash_guard.h"

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <algorithm>

namespace lanecl::frontend {
// Reads the headers of the resource folder. Headers that lie elsewhere are found on the disk by their own paths.
PrefixHeaders::PrefixHeaders(const LanguageTraits &traits) : folder(traits.resource_directory) {
  for (const std::string &path : prefixHeaders(traits))
    if (llvm::sys::path::parent_path(path) == folder)
      if (auto file = llvm::MemoryBuffer::getFile(path))
        files.emplace_back(std::string(kHeaderFolder) + "/" + llvm::sys::path::filename(path).str(), std::move(*file));
}

void PrefixHeaders::addTo(SourceTree &tree) const {
  for (const auto &[path, file] : files)
    tree.add(path, file->getBuffer());
}

// Replaces kHeaderFolder in diagnostics by the folder that the user knows.
void PrefixHeaders::showPlace(std::string &log) const {
  const std::string shown = std::string(kHeaderFolder) + "/";
  for (size_t at = 0; (at = log.find(shown, at)) != std::string::npos; at += folder.size() + 1)
    log.replace(at, shown.size(), folder + "/");
}

LanguagePrefix::LanguagePrefix(const LanguageTraits &traits, Language language)
    : traits(traits), language_setup(makeLanguageSetup(traits, language)) {}

// Computes the key at the first call, because hashing the headers may mean reading them.
const std::string &LanguagePrefix::fingerprint() {
  std::lock_guard lock(mutex);
  if (key.empty()) {
    ContentHash hasher;
    hasher.add("lanecl-prefix-6").add(language_setup.prefix);
    for (const std::string &argument : language_setup.arguments)
      hasher.add(argument);
    key = hasher.add(hashOfFiles(prefixHeaders(traits), traits.cache.get())).hex();
  }
  return key;
}

// Looks for the header in the resource folder and in the cache, and makes it as the last resort. Each step is taken at
// most once.
std::shared_ptr<const std::string> LanguagePrefix::precompiled() {
  const std::string cache_key = "pch:" + fingerprint();
  std::lock_guard lock(mutex);
  if (!std::exchange(looked_for_ready, true))
    if (auto ready = loadReadyHeader(traits, language_setup)) {
      tried = true;
      header = std::make_shared<const std::string>(std::move(*ready));
    }
  if (tried || (++requests == 1 && !traits.cache))
    return header;
  tried = true;
  if (traits.cache)
    if (auto stored = traits.cache->load(cache_key))
      return header = std::make_shared<const std::string>(std::move(*stored));
  header = buildPrecompiled();
  if (header && traits.cache)
    traits.cache->store(cache_key, *header);
  return header;
}

bool LanguagePrefix::makeReady(std::string &error) {
  const auto made = buildPrecompiled();
  if (!made || !storeReadyHeader(traits, language_setup, *made))
    error = "the precompiled header of " + language_setup.name + " cannot be " + (made ? "written" : "created");
  return error.empty();
}

// Compiles the prefix to a precompiled header, with the headers of the resource folder in kHeaderFolder. The result is
// null if that fails.
std::shared_ptr<const std::string> LanguagePrefix::buildPrecompiled() {
  std::string bytes, reason;
  const ClangCalls *clang = loadClang(traits, reason);
  if (!clang)
    return nullptr;
  std::vector<std::string> arguments = language_setup.arguments;
  std::replace(arguments.begin(), arguments.end(), traits.resource_directory, std::string(kHeaderFolder));
  arguments.insert(arguments.end(), {"-emit-pch", kPrefixPath});
  const PrefixHeaders headers(traits);
  const bool ended = vectorizer::runGuarded(
      [&] {
        SourceTree files;
        files.add(kPrefixPath, language_setup.prefix);
        headers.addTo(files);
        bytes = clang->precompile(arguments, files, kPrecompiledPath);
      },
      reason);
  if (!ended || bytes.empty())
    return nullptr;
  return std::make_shared<const std::string>(std::move(bytes));
}

} // namespace lanecl::frontend
