// 1 / sqrt(x) by the processor's estimate, where a program permits reciprocals.
#pragma once

#include "lanes/context.h"

namespace lanecl::vectorizer::lanes {

// Of floats, to 22 bits. Unlike what LLVM makes of the estimate, zeros give infinities and infinities give zeros.
llvm::Value *emitReciprocalRoot(const LaneContext &c, llvm::Value *x);

} // namespace lanecl::vectorizer::lanes
