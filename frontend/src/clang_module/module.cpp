// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The only exported function of lanecl-clang.so (clang_access/clang_calls.h).
#include "clang_module/emit.h"
#include "clang_module/precompile.h"

#include "clang/Basic/Version.h"

namespace lanecl::frontend {

extern "C" __attribute__((visibility("default"))) const ClangCalls *laneclClangCalls() {
  static const ClangCalls calls{
      .interface = kClangInterface,
      .in_module = reinterpret_cast<const void *>(&laneclClangCalls),
      .in_clang = reinterpret_cast<const void *>(&clang::getClangFullVersion),
      .emit = emitProgram,
      .precompile = precompileHeader,
  };
  return &calls;
}

} // namespace lanecl::frontend
