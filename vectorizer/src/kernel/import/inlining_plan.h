// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Decides which functions are inlined, and which stay functions because the kernel would become too large.
//
// Usually everything is inlined, because most is known about the lanes of a single function's values. A kernel that
// would have more than kMostInlined instructions keeps functions, and so does one of more than kMostInlinedOfCopies
// that is large only because it copies the same functions again and again. Then a function stays that is large by
// itself, so the code grows with the source and not with the number of paths through the calls. Functions are always
// inlined if all lanes have to reach them together (barriers, functions of sub-groups and work-groups), or if they wait
// for other work-items in a loop.
#pragma once

#include "pass_support/pass_context.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Function.h"

namespace lanecl::vectorizer {

// The plan for the kernels of one module, of which there is usually one.
class InliningPlan {
public:
  InliningPlan(llvm::ArrayRef<llvm::Function *> kernels, const PassContext &context);

  // Returns whether the kernel is too large to be one function, so that some functions stay.
  bool keepsSome() const { return most_inlined != 0; }
  // Returns whether a function of that many instructions is too large to be inlined even if it is called only once.
  bool isLarge(uint64_t instructions) const;
  // Returns whether functions with one call are inlined from the outermost caller inwards. Then a chain of functions is
  // copied once and not once for each link.
  bool copiesChainsOnce() const { return keepsSome() || is_deep; }
  // Returns whether this function stays, and counts its private variables if it does. Call it once for each function,
  // after the function's own calls have been inlined.
  bool stays(const llvm::Function &function);

private:
  // A function's size and depth once everything that it calls is inlined.
  struct Extent {
    uint64_t instructions = 0; // with all calls inlined
    unsigned depth = 0;        // of nested calls
  };
  Extent extentOf(const llvm::Function &function);
  uint64_t sourceInstructions() const;

  const PassContext &context;
  llvm::DenseMap<const llvm::Function *, Extent> extents;
  bool is_deep = false;
  uint64_t private_bytes = 0; // in functions that stay, for all lanes
  // A function of up to this many instructions is inlined at every call; 0: all functions are inlined.
  uint64_t most_inlined = 0;
};

} // namespace lanecl::vectorizer
