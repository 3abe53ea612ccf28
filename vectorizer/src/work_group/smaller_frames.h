// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Makes the frames of suspended sub-groups smaller.
#pragma once

#include "llvm/IR/Function.h"

namespace lanecl::vectorizer {

// Removes from the frame what everyone who resumes a sub-group knows: the launch, the worker, the work-group and the
// sub-group's number. LLVM's splitting keeps these arguments of the coroutine in the frame; here they become arguments
// of the companion, too.
//
// To be called after splitting. `enter` is the coroutine, whose frame is at an offset in the scratch memory, and
// `resume` its companion. Returns the new companion.
llvm::Function *passArguments(llvm::Function &enter, llvm::Function &resume, uint64_t frame_offset);

} // namespace lanecl::vectorizer
