// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// 1 / sqrt(x) by the processor's estimate, where a program permits reciprocals.
#pragma once

#include "lanes/context.h"

namespace lanecl::vectorizer::lanes {

// Of floats, to 22 bits, denormals included. Unlike what LLVM makes of the estimate, zeros give infinities and
// infinities give zeros. Without AVX-512 that adds basic blocks, and the builder is then in a new block (see
// `splitForContinuation` in loop.h).
llvm::Value *emitReciprocalRoot(const LaneContext &c, llvm::Value *x);

} // namespace lanecl::vectorizer::lanes
