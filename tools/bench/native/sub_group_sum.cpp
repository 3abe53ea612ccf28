// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The reduction benchmark of subgroups.cpp with intrinsics, at each width. It uses the same tree of additions that a
// device would.
#include "native.h"

#include <cstring>
#include <immintrin.h>

namespace bench::native {

namespace {

#if defined(__AVX512F__)
template <unsigned Width> struct RegisterOf {
  using Type = __m512i;
};
template <> struct RegisterOf<8> {
  using Type = __m256i;
};
#elif defined(__AVX2__)
template <unsigned Width> struct RegisterOf {
  using Type = __m256i;
};
#else
template <unsigned Width> struct RegisterOf {
  using Type = __m128i;
};
#endif

inline __m128i add(__m128i a, __m128i b) {
  return _mm_add_epi32(a, b);
}
[[maybe_unused]] inline __m128i fiveTimes(__m128i v) {
  return add(_mm_slli_epi32(v, 2), v);
}

// Sums all lanes. Each step exchanges the halves of ever smaller parts and adds, so that at the end every lane has the
// sum.
[[maybe_unused]] inline __m128i sumInAllLanes(__m128i v) {
  v = add(v, _mm_shuffle_epi32(v, _MM_SHUFFLE(1, 0, 3, 2)));
  return add(v, _mm_shuffle_epi32(v, _MM_SHUFFLE(2, 3, 0, 1)));
}

#ifdef __AVX2__
inline __m256i add(__m256i a, __m256i b) {
  return _mm256_add_epi32(a, b);
}
inline __m256i fiveTimes(__m256i v) {
  return add(_mm256_slli_epi32(v, 2), v);
}
inline __m256i sumInAllLanes(__m256i v) {
  v = add(v, _mm256_permute2x128_si256(v, v, 1));
  v = add(v, _mm256_shuffle_epi32(v, _MM_SHUFFLE(1, 0, 3, 2)));
  return add(v, _mm256_shuffle_epi32(v, _MM_SHUFFLE(2, 3, 0, 1)));
}
#endif

#ifdef __AVX512F__
inline __m512i add(__m512i a, __m512i b) {
  return _mm512_add_epi32(a, b);
}
inline __m512i fiveTimes(__m512i v) {
  return add(_mm512_slli_epi32(v, 2), v);
}
inline __m512i sumInAllLanes(__m512i v) {
  v = add(v, _mm512_shuffle_i32x4(v, v, _MM_SHUFFLE(1, 0, 3, 2)));
  v = add(v, _mm512_shuffle_i32x4(v, v, _MM_SHUFFLE(2, 3, 0, 1)));
  v = add(v, _mm512_shuffle_epi32(v, _MM_PERM_ENUM(_MM_SHUFFLE(1, 0, 3, 2))));
  return add(v, _mm512_shuffle_epi32(v, _MM_PERM_ENUM(_MM_SHUFFLE(2, 3, 0, 1))));
}
#endif

// One value of each work-item of a sub-group.
template <unsigned Width> struct SubGroup {
  using Register = typename RegisterOf<Width>::Type;
  static constexpr unsigned kLanes = sizeof(Register) / sizeof(uint32_t), kRegisters = Width / kLanes;
  Register registers[kRegisters];

  Register sum() const {
    Register halves[kRegisters];
    for (unsigned r = 0; r < kRegisters; ++r)
      halves[r] = registers[r];
    for (unsigned half = kRegisters / 2; half > 0; half /= 2)
      for (unsigned r = 0; r < half; ++r)
        halves[r] = add(halves[r], halves[r + half]);
    return sumInAllLanes(halves[0]);
  }

  void step() {
    const Register total = sum();
    for (Register &r : registers)
      r = add(fiveTimes(r), total);
  }
};

template <unsigned Width> void repeat(const uint32_t *in, uint32_t *out, size_t count, uint32_t rounds) {
  constexpr unsigned kValues = 64 / Width;
  using Group = SubGroup<Width>;
  for (size_t i = 0; i < count; i += Width) {
    uint32_t start[kValues][Width], end[kValues][Width];
    for (unsigned k = 0; k < kValues; ++k)
      for (unsigned lane = 0; lane < Width; ++lane)
        start[k][lane] = in[i + lane] + k;
    Group values[kValues];
    std::memcpy(&values, start, sizeof start);
    for (uint32_t round = 0; round < rounds; ++round)
      for (Group &value : values)
        value.step();
    std::memcpy(end, &values, sizeof end);
    for (unsigned lane = 0; lane < Width; ++lane) {
      out[i + lane] = 0;
      for (unsigned k = 0; k < kValues; ++k)
        out[i + lane] ^= end[k][lane];
    }
  }
}

} // namespace

void repeatSubGroupSum(unsigned width, const uint32_t *in, uint32_t *out, size_t count, uint32_t rounds) {
  if (width == 8)
    repeat<8>(in, out, count, rounds);
  else if (width == 16)
    repeat<16>(in, out, count, rounds);
  else
    repeat<32>(in, out, count, rounds);
}

} // namespace bench::native
