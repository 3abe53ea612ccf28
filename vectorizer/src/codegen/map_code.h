// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Makes the map of an object's code, when the code is loaded.
#pragma once

#include "vectorizer/code_map.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MemoryBufferRef.h"

namespace lanecl::vectorizer {

// Returns the map of the section that holds `symbol`, which was loaded to `address`. The map of an unreadable object is
// empty. `with_lines`: the object has debug information, from which lines and functions are read.
CodeMap mapCode(llvm::MemoryBufferRef object, llvm::StringRef symbol, const void *address, bool with_lines);

} // namespace lanecl::vectorizer
