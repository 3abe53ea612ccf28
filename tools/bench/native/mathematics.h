// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The exponential and the logarithm of 16 floats, with errors of about two units in the last place. Infinities, NaNs
// and subnormal numbers are not supported.
#pragma once

#include "vector.h"

#include <initializer_list>

namespace bench::native {

// Computes e^x as 2^n e^r, where r = x - n ln 2 lies between -0.35 and 0.35. e^r is a polynomial in r.
inline Float16 exp(Float16 x) {
  x = __builtin_elementwise_min(__builtin_elementwise_max(x, Float16(-87.0f)), Float16(88.0f));
  const Float16 n = __builtin_elementwise_rint(x * 1.44269504f);
  const Float16 r = fma(n, Float16(2.12194440e-4f), fma(n, Float16(-0.693359375f), x));
  Float16 sum = 1.9875691500e-4f;
  for (const float coefficient : {1.3981999507e-3f, 8.3334519073e-3f, 4.1665795894e-2f, 1.6666665459e-1f, 0.5f})
    sum = fma(sum, r, Float16(coefficient));
  sum = fma(sum, r * r, r) + 1.0f;
  const Int16 scale = (__builtin_convertvector(n, Int16) + 127) << 23;
  return sum * __builtin_bit_cast(Float16, scale);
}

// Computes ln x as e ln 2 + ln m, where m lies between 0.7 and 1.4. ln m is a polynomial in m - 1.
inline Float16 log(Float16 x) {
  const Int16 bits = __builtin_bit_cast(Int16, x) - 0x3f3504f3; // 0x3f3504f3 is the square root of one half
  const Float16 e = __builtin_convertvector(bits >> 23, Float16);
  const Float16 m = __builtin_bit_cast(Float16, (bits & 0x7fffff) + 0x3f3504f3) - 1.0f;
  Float16 sum = 7.0376836292e-2f;
  for (const float coefficient : {-1.1514610310e-1f, 1.1676998740e-1f, -1.2420140846e-1f, 1.4249322787e-1f,
                                  -1.6668057665e-1f, 2.0000714765e-1f, -2.4999993993e-1f, 3.3333331174e-1f})
    sum = fma(sum, m, Float16(coefficient));
  const Float16 square = m * m;
  sum = fma(sum * square, m, fma(Float16(-0.5f), square, e * -2.12194440e-4f));
  return fma(e, Float16(0.693359375f), m + sum);
}

} // namespace bench::native
