// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Which functions are inlined, and which stay functions because the kernel would become too large.
//
// As long as a kernel with everything inlined has at most kMostInlined instructions, everything is: lanes of one
// function know most about their values. Beyond, a function stays that is large by itself, so that the code grows with
// the source and not with the number of paths through the calls. Always inlined is what all lanes have to reach
// together (barriers, functions of sub-groups and work-groups), and what waits for other work-items in a loop.
#pragma once

#include "pass_support/pass_context.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Function.h"

namespace lanecl::vectorizer {

class InliningPlan {
public:
  InliningPlan(llvm::ArrayRef<llvm::Function *> kernels, const PassContext &context);

  // Whether the kernel is too large to be one function, so that some stay.
  bool keepsSome() const { return most_inlined != 0; }
  // Whether a function of so many instructions is too large to be inlined even if it is called only once.
  bool isLarge(uint64_t instructions) const;
  // Whether functions with one call are to be copied to where everything around them is inlined, and not before. Then a
  // chain of functions is copied once, and not once for each link.
  bool copiesChainsOnce() const { return keepsSome() || is_deep; }
  // Whether this function stays. To be asked once for each function, after its own calls have been inlined, and counts
  // its private variables if it stays.
  bool stays(const llvm::Function &function);

private:
  struct Extent {
    uint64_t instructions = 0; // with everything inlined
    unsigned depth = 0;        // of the calls in it
  };
  Extent extentOf(const llvm::Function &function);
  uint64_t sourceInstructions() const;

  const PassContext &context;
  llvm::DenseMap<const llvm::Function *, Extent> extents;
  bool is_deep = false;
  uint64_t private_bytes = 0; // of functions that stay, for all lanes
  uint64_t most_inlined = 0;  // instructions of a function that is inlined
};

} // namespace lanecl::vectorizer
