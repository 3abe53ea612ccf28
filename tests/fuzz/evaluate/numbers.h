// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Arithmetic on halves, floats and doubles, and their conversions. Each result is exact and rounded once, as OpenCL C
// 6.2.3 and cl_khr_fp16 require. Denormals, infinities and the signs of zeros are handled; NaNs never occur as
// operands.
#pragma once

#include "evaluate/operations.h"

namespace lanecl::fuzz {

// Where the result would be a NaN, `undefined` is set and the result is zero.
Result operateOnNumbers(Op op, Type type, uint64_t a, uint64_t b, uint64_t c);

bool isNan(Base base, uint64_t bits);
// Converts an integer or a number of any type to a number of the type `to`. The roundings Cast and Function round to
// nearest even.
uint64_t convertToNumber(Base to, Base from, uint64_t bits, Rounding rounding);
// Converts a number to an integer. The roundings Cast and Function round toward zero. A number that no integer type
// holds gives the nearest integer of 100 bits, and a NaN gives zero.
Wide convertToInteger(Base from, uint64_t bits, Rounding rounding);

} // namespace lanecl::fuzz
