// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Estimates how much memory a sub-group's values occupy while it waits at a barrier, for the report.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/Instructions.h"

#include <cstdint>
#include <vector>

namespace lanecl::vectorizer {

// Returns for each barrier the total size in bytes of the values that are live across it. This is an estimate, because
// some of these values are computed again instead of kept.
std::vector<uint64_t> bytesKept(llvm::Function &lanes, llvm::ArrayRef<llvm::CallInst *> barriers);

} // namespace lanecl::vectorizer
