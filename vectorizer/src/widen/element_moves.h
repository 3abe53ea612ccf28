// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Finds out whether a kernel's lanes mostly move elements, each from an address of its own, so that lanes do not pay.
//
// A gather or scatter costs about as much as one access for each lane, so lanes gain only if there is arithmetic as
// well. They gain nothing in a loop that only compares and moves elements, such as an insertion sort or a merge of two
// rows for each work-item, and the slowest lane decides how long the loop takes. They gain nothing either in a product
// of a sparse matrix and a vector, which is almost nothing but gathers. A list is different: there a load decides what
// the next iteration loads. Work-items that run one after the other would wait for each load, but lanes wait for all of
// their loads together.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Function.h"

namespace lanecl::vectorizer {

// Counts what each block of the scalar kernel becomes in lanes.
class ElementMoves {
public:
  // The Widener reports each gather, scatter and operation with its block of the scalar kernel.
  void gathers(const llvm::BasicBlock &block) { ++blocks[&block].gathers; }
  void scatters(const llvm::BasicBlock &block) { ++blocks[&block].scatters; }
  void computes(const llvm::BasicBlock &block) { ++blocks[&block].operations; }

  // Whether some innermost loop that lanes leave one by one has few operations for each gather or scatter.
  bool dominate(llvm::Function &scalar) const;

private:
  struct Count {
    unsigned gathers = 0, scatters = 0, operations = 0;
  };
  llvm::DenseMap<const llvm::BasicBlock *, Count> blocks;
};

} // namespace lanecl::vectorizer
