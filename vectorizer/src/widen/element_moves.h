// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Whether a kernel's lanes mostly move elements, each from a place of its own.
//
// A gather or scatter costs about as much as an access for each lane, so lanes gain where there is arithmetic beside
// it. In a loop that only compares and moves elements, such as an insertion sort or the merging of two rows for each
// work-item, they gain nothing, and the slowest lane decides how long it takes. Neither do they in the product of a
// sparse matrix and a vector, which is as good as nothing but gathers. But where a load says what the next turn loads,
// as in a list, work-items one after the other would wait for each load, and lanes wait for all of theirs together.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Function.h"

namespace lanecl::vectorizer {

class ElementMoves {
public:
  // To be told of each, with the block of the scalar kernel.
  void gathers(const llvm::BasicBlock &block) { ++blocks[&block].gathers; }
  void scatters(const llvm::BasicBlock &block) { ++blocks[&block].scatters; }
  void computes(const llvm::BasicBlock &block) { ++blocks[&block].operations; }

  // An innermost loop whose lanes leave it one by one has few operations for each gather or scatter.
  bool dominate(llvm::Function &scalar) const;

private:
  struct Count {
    unsigned gathers = 0, scatters = 0, operations = 0;
  };
  llvm::DenseMap<const llvm::BasicBlock *, Count> blocks;
};

} // namespace lanecl::vectorizer
