// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What is known of an object's code when it is loaded.
#pragma once

#include "vectorizer/code_map.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MemoryBufferRef.h"

namespace lanecl::vectorizer {

// Of the section that holds `symbol`, which was loaded to `address`. An object that cannot be read has an empty map.
// `with_lines`: the object was made with debug information, which is read.
CodeMap mapCode(llvm::MemoryBufferRef object, llvm::StringRef symbol, const void *address, bool with_lines);

} // namespace lanecl::vectorizer
