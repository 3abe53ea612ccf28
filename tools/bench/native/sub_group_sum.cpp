// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The reduction benchmark of subgroups.cpp with vector types, at each width. It uses the same tree of additions that a
// device would.
#include "native.h"

#include <cstring>
#include <utility>

namespace bench::native {

namespace {

// One value of each work-item of a sub-group.
template <unsigned Width> using Lanes = uint32_t __attribute__((ext_vector_type(Width)));

template <unsigned Distance, unsigned Width, size_t... Lane>
Lanes<Width> exchanged(Lanes<Width> x, std::index_sequence<Lane...>) {
  return __builtin_shufflevector(x, x, (Lane ^ Distance)...);
}

// Sums all lanes. Each step exchanges the halves of ever smaller parts and adds, so that at the end every lane has the
// sum.
template <unsigned Width, unsigned Distance = Width / 2> Lanes<Width> sumInAllLanes(Lanes<Width> x) {
  x += exchanged<Distance, Width>(x, std::make_index_sequence<Width>());
  if constexpr (Distance > 1)
    return sumInAllLanes<Width, Distance / 2>(x);
  else
    return x;
}

template <unsigned Width> void repeat(const uint32_t *in, uint32_t *out, size_t count, uint32_t rounds) {
  constexpr unsigned kValues = 64 / Width;
  for (size_t i = 0; i < count; i += Width) {
    Lanes<Width> values[kValues], result = 0;
    for (unsigned k = 0; k < kValues; ++k) {
      std::memcpy(&values[k], in + i, sizeof values[k]);
      values[k] += k;
    }
    for (uint32_t round = 0; round < rounds; ++round)
      for (Lanes<Width> &value : values)
        value = (value << 2) + value + sumInAllLanes<Width>(value);
    for (const Lanes<Width> &value : values)
      result ^= value;
    std::memcpy(out + i, &result, sizeof result);
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
