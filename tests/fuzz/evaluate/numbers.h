// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Arithmetic on halves, floats and doubles, and their conversions, exactly: a result is rounded once, as OpenCL C 6.2.3
// and cl_khr_fp16 want it. Denormals, infinities and the signs of zeros count. There are no NaNs.
#pragma once

#include "evaluate/operations.h"

namespace lanecl::fuzz {

// `undefined` where the result would be a NaN; it is zero then.
Result operateOnNumbers(Op op, Type type, uint64_t a, uint64_t b, uint64_t c);

bool isNan(Base base, uint64_t bits);
// An integer or a number of any type as one of the type `to`. Cast and Function round to even.
uint64_t convertToNumber(Base to, Base from, uint64_t bits, Rounding rounding);
// A number as an integer; Cast and Function round to zero. Those beyond any integer type are the nearest one of 100
// bits, and a NaN is zero.
Wide convertToInteger(Base from, uint64_t bits, Rounding rounding);

} // namespace lanecl::fuzz
