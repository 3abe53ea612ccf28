// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What a launch knows of its images' formats becomes constants, so that of all the ways to read and write elements one
// is left.
#pragma once

#include "vectorizer/vectorizer.h"
#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class Function;
} // namespace llvm

namespace lanecl::vectorizer {

// While images are the kernel's parameters, as addresses of their descriptors.
void useKnownFormats(llvm::Function &kernel, llvm::ArrayRef<KnownImage> images);

} // namespace lanecl::vectorizer
