// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Reveals the branches that a jump statement of the source makes from those at the end of scopes.
#pragma once

#include "clang_access/clang_calls.h"

namespace lanecl::frontend {

// Marks the unconditional branches at these places with the metadata of vectorizer/contract/jump_metadata.h.
void markJumps(llvm::Module &module, const SourcePositions &jumps);

} // namespace lanecl::frontend
