// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Removes redundant code that linearize leaves: trivial blends, masks of masks and empty blocks.
#pragma once

namespace llvm {
class Function;
} // namespace llvm

namespace lanecl::vectorizer {

// Folds trivial instructions and removes dead ones.
void simplifyMasks(llvm::Function &function);

// Merges blocks that run one after the other under the same mask.
void mergeBlocks(llvm::Function &function);

} // namespace lanecl::vectorizer
