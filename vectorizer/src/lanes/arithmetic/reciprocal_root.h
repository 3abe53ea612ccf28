// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Computes 1 / sqrt(x) by the processor's estimate, for programs that permit approximate reciprocals.
#pragma once

#include "lanes/context.h"

namespace lanecl::vectorizer::lanes {

// Returns 1 / sqrt(x) of floats, exact to 22 bits, denormals included. Zeros give infinities and infinities give zeros,
// unlike in LLVM's own use of the estimate. Without AVX-512 this adds basic blocks, and the builder is then in a new
// block (see `splitForContinuation` in loop.h).
llvm::Value *emitReciprocalRoot(const LaneContext &c, llvm::Value *x);

} // namespace lanecl::vectorizer::lanes
