// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What a suspended sub-group need not keep.
#pragma once

#include "llvm/IR/Function.h"

namespace lanecl::vectorizer {

// After splitting. `enter` is the coroutine, with its frame at an offset in the scratch memory, and `resume` its
// companion.

// The launch, the worker, the work-group, the sub-group's number: who resumes a sub-group knows them. LLVM's splitting
// keeps them in the frame; here they become arguments of the companion. Returns the new one.
llvm::Function *passArguments(llvm::Function &enter, llvm::Function &resume, uint64_t frame_offset);

} // namespace lanecl::vectorizer
