// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What is known of the built-in library's functions without reading the library.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace lanecl::frontend {

// Returns the name without its mangling: _Z6vload4mPU3AS1Kf is vload4. The result is empty if the name is not mangled.
llvm::StringRef plainName(llvm::StringRef name);

// What a function may tell a work-item of how work-items are grouped. What tells of sub-groups tells of work-groups,
// too.
enum class Reveals { Nothing, WorkGroups, SubGroups };

// Returns what a function that the program does not define tells, by its name in the IR. The build of the library finds
// this out from the functions' code.
Reveals revealedBy(llvm::StringRef name);

} // namespace lanecl::frontend
