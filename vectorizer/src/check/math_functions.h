// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The mathematical functions of OpenCL C.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace lanecl::vectorizer {

// Whether a function may return NaN for arguments that are none. nan() and those that only move bits are not among
// them.
bool mayGiveNan(llvm::StringRef name);

} // namespace lanecl::vectorizer
