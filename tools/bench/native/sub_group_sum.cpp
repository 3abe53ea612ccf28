#include "native.h"

#include <cstring>
#include <utility>

namespace bench::native {

namespace {

template <int Lanes> using UintLanes = uint32_t __attribute__((ext_vector_type(Lanes)));

// The tree of sub_group_reduce_add: the upper half onto the lower one until one lane is left.
template <int Lanes, int... I> UintLanes<Lanes / 2> addHalves(UintLanes<Lanes> v, std::integer_sequence<int, I...>) {
  return __builtin_shufflevector(v, v, I...) + __builtin_shufflevector(v, v, (I + Lanes / 2)...);
}

// The last steps within 128 bits: shorter vectors would become scalars.
template <int Lanes> uint32_t sumOf(UintLanes<Lanes> v) {
  if constexpr (Lanes == 4) {
    v += __builtin_shufflevector(v, v, 2, 3, -1, -1);
    v += __builtin_shufflevector(v, v, 1, -1, -1, -1);
    return v[0];
  } else {
    return sumOf<Lanes / 2>(addHalves<Lanes>(v, std::make_integer_sequence<int, Lanes / 2>()));
  }
}

template <int Lanes> void repeat(const uint32_t *in, uint32_t *out, size_t count, uint32_t rounds) {
  for (size_t i = 0; i < count; i += Lanes) {
    UintLanes<Lanes> x;
    std::memcpy(&x, in + i, sizeof x);
    for (uint32_t round = 0; round < rounds; ++round)
      x = 5 * x + sumOf<Lanes>(x);
    std::memcpy(out + i, &x, sizeof x);
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
