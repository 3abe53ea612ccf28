// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What debuggers see of images and samplers, which Clang describes as pointers to unknown structures.
#pragma once

#include "llvm/IR/DebugInfoMetadata.h"

namespace lanecl::vectorizer {

// The type that shows what an image or sampler holds (vectorizer/contract/image.h); of other types, the type itself.
// `file`: of the variable.
llvm::DIType *shownType(llvm::DIType *type, llvm::DIFile *file);

} // namespace lanecl::vectorizer
