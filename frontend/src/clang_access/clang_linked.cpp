// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Clang and LLVM are linked into this library (LANECL_PORTABLE), so nothing has to be loaded.
#include "clang_access/clang_loader.h"

#include "cache/build_id.h"
#include "clang_access/clang_calls.h"

namespace lanecl::frontend {

const ClangCalls *loadClang(const LanguageTraits &, std::string &) {
  return laneclClangCalls();
}

std::string identityOfClang(const std::string &) {
  return identityOfLoaded(laneclClangCalls()->in_clang);
}

} // namespace lanecl::frontend
