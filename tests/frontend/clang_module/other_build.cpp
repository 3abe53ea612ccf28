// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A module that takes the place of lanecl-clang.so in a test. It stands for one that was built with other declarations
// of the calls.
#include "clang_access/clang_calls.h"

namespace lanecl::frontend {

extern "C" __attribute__((visibility("default"))) const ClangCalls *laneclClangCalls() {
  static const ClangCalls calls{kClangInterface, nullptr, nullptr, nullptr, nullptr};
  return &calls;
}

} // namespace lanecl::frontend
