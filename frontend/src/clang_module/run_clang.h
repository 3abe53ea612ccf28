// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Runs Clang once over files that may exist in memory only.
#pragma once

#include "clang_access/clang_calls.h"

namespace clang {
class FrontendAction;
}

namespace lanecl::frontend {

// Runs `action` with the arguments of `clang -cc1`. Diagnostics go to `log`, as Clang prints them. Returns false when
// there were errors.
bool runClang(llvm::ArrayRef<std::string> arguments, const SourceTree &files, clang::FrontendAction &action,
              std::string &log);

} // namespace lanecl::frontend
