// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The declarations of the built-ins, parsed once per language version instead of once per program.
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

inline constexpr const char *kPrefixPath = "/lanecl/lanecl-prefix.h";        // in the SourceTree
inline constexpr const char *kPrecompiledPath = "/lanecl/lanecl-prefix.pch"; // in the SourceTree

// Where a precompiled header finds the headers of LaneCL's resource folder (in the SourceTree), so that it can be used
// wherever that folder lies. Clang reads them again for diagnostics that point into them.
inline constexpr const char *kHeaderFolder = "/lanecl/built-in-declarations";

class PrefixHeaders {
public:
  explicit PrefixHeaders(const LanguageTraits &traits);
  void addTo(SourceTree &tree) const;     // must outlive the tree's last use
  void showPlace(std::string &log) const; // replaces the folder by the real one

private:
  const std::string folder;
  std::vector<std::pair<std::string, std::unique_ptr<llvm::MemoryBuffer>>> files;
};

// The declarations that every program of one language version starts with. Thread-safe.
class LanguagePrefix {
public:
  LanguagePrefix(const LanguageTraits &traits, Language language);

  const LanguageSetup &setup() const { return language_setup; }
  // Identifies the arguments, the headers' contents and the compiler; for cache keys.
  const std::string &fingerprint();
  // The precompiled header, or null: then the prefix is to be included as text. It is made when it was neither made
  // with LaneCL (ready_header.h) nor is in the cache. Null also for the first compile when there is no cache to keep
  // the result for later processes, because making it takes longer than parsing the prefix once.
  std::shared_ptr<const std::string> precompiled();
  // Makes the one that lies in LaneCL's resource folder. False with the reason.
  bool makeReady(std::string &error);

private:
  std::shared_ptr<const std::string> buildPrecompiled();

  const LanguageTraits &traits;
  const LanguageSetup language_setup;
  std::mutex mutex;
  std::string key;
  unsigned requests = 0;
  bool tried = false, looked_for_ready = false;
  std::shared_ptr<const std::string> header;
};

} // namespace lanecl::frontend
