// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Memory whose size LLVM knows: private variables, structures that a kernel gets by value, and constants.
#pragma once

#include "check/check_calls.h"

#include "llvm/IR/DataLayout.h"

#include <optional>

namespace lanecl::vectorizer {

// "tile" of "kernel.tile", "a" of "a.i3", which was inlined.
std::string nameInSource(llvm::StringRef name, bool behind_kernel);

// Nothing: LLVM does not know it.
std::optional<NamedMemory> knownMemory(const llvm::Value &object, const llvm::DataLayout &layout);

} // namespace lanecl::vectorizer
