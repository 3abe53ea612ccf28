// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Internal errors of the compiler: LLVM crashes while it compiles a kernel, or gives up with a fatal error. This header
// includes no LLVM.
#pragma once

#include <cstdint>

namespace lanecl::vectorizer {

// Returns how many internal errors have happened in this process.
uint64_t internalErrors();

// Chooses, for the whole process, whether an internal error makes the kernel's compilation fail. By default the kernel
// is compiled a second time, without optimization, or with optimization if the first attempt had none, and
// CompileOutput::warning says so.
void makeInternalErrorsFatal(bool fatal);

} // namespace lanecl::vectorizer
