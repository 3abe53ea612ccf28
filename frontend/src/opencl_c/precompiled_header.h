// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The declarations of the built-ins, parsed once for each language version instead of once for each program.
#pragma once

#include "clang_access/source_tree.h"
#include "frontend/frontend.h"
#include "opencl_c/language.h"
#include "program/build_options.h"

#include "llvm/Support/MemoryBuffer.h"

#include <array>
#include <memory>
#include <mutex>
#include <string>

namespace lanecl::frontend {

// The paths of the prefix and of its precompiled form. They exist in the SourceTree only.
inline constexpr const char *kPrefixPath = "/lanecl/lanecl-prefix.h";
inline constexpr const char *kPrecompiledPath = "/lanecl/lanecl-prefix.pch";

// The folder, in the SourceTree, where a precompiled header finds the headers of LaneCL's resource folder. Because the
// path is always the same, the precompiled header can be used wherever the resource folder lies. Clang reads the
// headers again for diagnostics that point into them.
inline constexpr const char *kHeaderFolder = "/lanecl/built-in-declarations";

// The headers of the resource folder, shown to Clang in kHeaderFolder.
class PrefixHeaders {
public:
  explicit PrefixHeaders(const LanguageTraits &traits);
  void addTo(SourceTree &tree) const;     // they must outlive the tree's last use
  void showPlace(std::string &log) const; // replaces kHeaderFolder by the real folder

private:
  const std::string folder;
  std::vector<std::pair<std::string, std::unique_ptr<llvm::MemoryBuffer>>> files;
};

// The declarations that every program of one language version starts with. Thread-safe.
class LanguagePrefix {
public:
  LanguagePrefix(const LanguageTraits &traits, Language language);

  const LanguageSetup &setup() const { return language_setup; }
  // Returns a text that identifies the arguments, the headers' contents and the compiler, for the keys of caches.
  const std::string &fingerprint();
  // Returns the precompiled header, or null: then the prefix is to be included as text.
  //
  // The header is made here if it has neither been made with LaneCL (ready_header.h) nor is in the cache. Making it
  // takes longer than parsing the prefix once. So without a cache, which would keep it for later processes, the first
  // compile of this object gets null.
  std::shared_ptr<const std::string> precompiled();
  // Makes the precompiled header that lies in LaneCL's resource folder. Returns false with the reason.
  bool makeReady(std::string &error);

private:
  std::shared_ptr<const std::string> buildPrecompiled();

  const LanguageTraits &traits;
  const LanguageSetup language_setup;
  std::mutex mutex;
  std::string key;
  // Calls of precompiled() that found no ready header.
  unsigned requests = 0;
  bool tried = false, looked_for_ready = false;
  std::shared_ptr<const std::string> header;
};

} // namespace lanecl::frontend
