// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Finds memory whose size LLVM knows: private variables, structures that a kernel gets by value, and constants.
#pragma once

#include "check/check_calls.h"

#include "llvm/IR/DataLayout.h"

#include <optional>

namespace lanecl::vectorizer {

// Returns a variable's name in the source: "tile" for "kernel.tile" if `behind_kernel`, and "a" for "a.i3", the copy of
// an inlined function's variable.
std::string nameInSource(llvm::StringRef name, bool behind_kernel);

// Returns the memory of an object; nothing if LLVM does not know its size.
std::optional<NamedMemory> knownMemory(const llvm::Value &object, const llvm::DataLayout &layout);

} // namespace lanecl::vectorizer
