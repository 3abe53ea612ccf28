// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Tells LLVM that what a coroutine keeps in its frame is not what the kernel's pointers point to. Otherwise each store
// of the kernel might change it, and a loop would load it again in every iteration.
#pragma once

#include "llvm/IR/Function.h"
#include "llvm/IR/Metadata.h"

#include <optional>

namespace lanecl::vectorizer {

class FrameScope {
public:
  explicit FrameScope(llvm::LLVMContext &context);
  // Before splitting: these are all of the kernel's own accesses. Private variables, which may become part of the
  // frame, are accessed by these alone.
  void excludeAccesses(llvm::Function &lanes) const;
  // Afterwards: the accesses that splitting added are to values that it keeps in the frame.
  void markOthers(llvm::Function &part) const;

private:
  llvm::MDNode *scope; // a list of the one
};

// The offset in the frame of an access that splitting added; nothing for others. `base` points to what holds the frame
// from `frame_offset` on.
std::optional<uint64_t> placeInFrame(const llvm::Instruction &access, const llvm::Argument &base,
                                     uint64_t frame_offset);

} // namespace lanecl::vectorizer
