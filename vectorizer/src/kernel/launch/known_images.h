// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Replaces loads of image formats that the launch knows by constants. Of the code for all formats, only the way to read
// and write elements of that format is left after optimization.
#pragma once

#include "vectorizer/vectorizer.h"
#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class Function;
} // namespace llvm

namespace lanecl::vectorizer {

// Must be called while images are parameters of the kernel, as addresses of their descriptors.
void useKnownFormats(llvm::Function &kernel, llvm::ArrayRef<KnownImage> images);

} // namespace lanecl::vectorizer
