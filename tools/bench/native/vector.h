// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// 16 floats as a vector type of Clang. It is one AVX-512 register or two AVX2 registers, so one source serves both
// instruction sets.
#pragma once

#include <immintrin.h>

#include <cstdint>
#include <cstring>

namespace bench::native {

using Float16 = float __attribute__((ext_vector_type(16)));
using Int16 = int32_t __attribute__((ext_vector_type(16)));

inline constexpr size_t kLanes = 16;

inline Float16 load(const float *p) {
  Float16 value;
  std::memcpy(&value, p, sizeof value);
  return value;
}

inline void store(float *p, Float16 value) {
  std::memcpy(p, &value, sizeof value);
}

inline Float16 fma(Float16 a, Float16 b, Float16 c) {
  return __builtin_elementwise_fma(a, b, c);
}

inline Float16 inverseSquareRoot(Float16 x) {
#ifdef __AVX512F__
  // The estimate has 14 bits; one step of Newton's method makes it accurate to nearly all bits of a float.
  const Float16 estimate = _mm512_rsqrt14_ps(x);
  return estimate * fma(-0.5f * x * estimate, estimate, Float16(1.5f));
#else
  return 1.0f / __builtin_elementwise_sqrt(x);
#endif
}

} // namespace bench::native
