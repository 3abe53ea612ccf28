// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Reveals LLVM that the kernel's pointers do not point to the values that a coroutine keeps in its frame. Otherwise
// each store of the kernel might change such a value, and a loop would load the value again in every iteration.
#pragma once

#include "llvm/IR/Function.h"
#include "llvm/IR/Metadata.h"

#include <optional>

namespace lanecl::vectorizer {

// An alias scope for the frame's values.
class FrameScope {
public:
  explicit FrameScope(llvm::LLVMContext &context);
  // To be called before splitting, when the function contains only the kernel's own accesses: excludes them from the
  // scope. Private variables, which may become part of the frame, are accessed only by them.
  void excludeAccesses(llvm::Function &lanes) const;
  // To be called after splitting: adds the accesses that splitting made, which are of values kept in the frame.
  void markOthers(llvm::Function &part) const;

private:
  llvm::MDNode *scope; // a list with the scope as its only element
};

// Returns the offset in the frame of an access that splitting made, or nothing for other accesses. The frame starts
// `frame_offset` bytes past `base`.
std::optional<uint64_t> placeInFrame(const llvm::Instruction &access, const llvm::Argument &base,
                                     uint64_t frame_offset);

} // namespace lanecl::vectorizer
