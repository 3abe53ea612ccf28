// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The mathematical functions of OpenCL C that check-arithmetic looks at.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace lanecl::vectorizer {

// Whether a function may return NaN although no argument is NaN. nan() and functions that only move bits are not among
// them.
bool mayGiveNan(llvm::StringRef name);

} // namespace lanecl::vectorizer
