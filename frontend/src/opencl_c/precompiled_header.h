// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The declarations of the built-ins, parsed once per language version instead of once per program.
#pragma once

#include "frontend/frontend.h"
#include "opencl_c/language.h"
#include "program/build_options.h"

#include <array>
#include <memory>
#include <mutex>
#include <string>

namespace lanecl::frontend {

inline constexpr const char *kPrefixPath = "/lanecl/lanecl-prefix.h";        // in the SourceTree
inline constexpr const char *kPrecompiledPath = "/lanecl/lanecl-prefix.pch"; // in the SourceTree

// The declarations that every program of one language version starts with. Thread-safe.
class LanguagePrefix {
public:
  LanguagePrefix(const LanguageTraits &traits, Language language);

  const LanguageSetup &setup() const { return language_setup; }
  // Identifies the arguments, the headers' contents and the compiler; for cache keys.
  const std::string &fingerprint();
  // The precompiled header, or null: then the prefix is to be included as text. Null also for the first compile when
  // there is no cache to keep the result for later processes, because making it takes longer than parsing the prefix
  // once.
  std::shared_ptr<const std::string> precompiled();

private:
  std::shared_ptr<const std::string> buildPrecompiled();

  const LanguageTraits &traits;
  const LanguageSetup language_setup;
  std::mutex mutex;
  std::string key;
  unsigned requests = 0;
  bool tried = false;
  std::shared_ptr<const std::string> header;
};

} // namespace lanecl::frontend
