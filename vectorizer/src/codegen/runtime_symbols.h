// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The functions of the host that generated code may call. Generated code sees no other symbols of the process, so it
// does not depend on what the host program has loaded.
#pragma once

#include "llvm/ExecutionEngine/Orc/Core.h"

namespace lanecl::vectorizer {

// Returns the addresses of these functions by the names that generated code uses.
llvm::orc::SymbolMap runtimeSymbols(llvm::orc::ExecutionSession &session);

} // namespace lanecl::vectorizer
