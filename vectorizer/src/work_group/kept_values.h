// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// How much a sub-group keeps in memory while it waits at a barrier, for the report.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/Instructions.h"

#include <cstdint>
#include <vector>

namespace lanecl::vectorizer {

// For each barrier the bytes of all values that are computed before it and used behind it. An estimate: some of them
// are computed again instead.
std::vector<uint64_t> bytesKept(llvm::Function &lanes, llvm::ArrayRef<llvm::CallInst *> barriers);

} // namespace lanecl::vectorizer
