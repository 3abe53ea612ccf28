// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The types of images and samplers that debuggers see. Clang describes both as pointers to unknown structures.
#pragma once

#include "llvm/IR/DebugInfoMetadata.h"

namespace lanecl::vectorizer {

// Returns a type that shows the contents of an image or a sampler (vectorizer/contract/image.h); other types are
// returned as they are. `file` is the file of the variable.
llvm::DIType *shownType(llvm::DIType *type, llvm::DIFile *file);

} // namespace lanecl::vectorizer
