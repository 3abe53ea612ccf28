// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Tells the branches that the source has written from those at the end of scopes.
#pragma once

#include "clang_access/clang_calls.h"

namespace lanecl::frontend {

// Marks the branches of the jump statements at these places (vectorizer/contract/jump_metadata.h).
void markJumps(llvm::Module &module, const SourcePlaces &jumps);

} // namespace lanecl::frontend
