// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Failures inside the compiler: LLVM crashes in a kernel, or gives up on it with a fatal error. No LLVM in this header.
#pragma once

#include <cstdint>

namespace lanecl::vectorizer {

// How often the compiler has failed inside so far, in this process.
uint64_t internalErrors();

// For the whole process: a failure inside the compiler is an error of the kernel. By default the kernel is compiled
// once more, without optimization, or with it where it was left out, and CompileOutput::warning says so.
void makeInternalErrorsFatal(bool fatal);

} // namespace lanecl::vectorizer
