// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// sin(pi x) and cos(pi x) on the host, for the tests of mathematics.
#pragma once

#include <cmath>

namespace lanecl::test {

using Real = long double;

inline constexpr Real kPi = 3.14159265358979323846264338327950288L;

// sin(pi x + quarters * pi/2), the reduction exact; the specification gives the sign of zeros.
inline Real sinOfTurn(Real x, int quarters, Real zero) {
  if (!std::isfinite(x))
    return NAN;
  const Real turn = std::fmod(x, 2.0L), n = std::nearbyint(2 * turn), r = (turn - n / 2) * kPi;
  switch (unsigned(int(n) + quarters) % 4) {
  case 0: return r == 0 ? zero : std::sin(r);
  case 1: return std::cos(r);
  case 2: return r == 0 ? zero : -std::sin(r);
  default: return -std::cos(r);
  }
}
inline Real sinPi(Real x) {
  return sinOfTurn(x, 0, std::copysign(0.0L, x));
}
inline Real cosPi(Real x) {
  return sinOfTurn(x, 1, 0.0L);
}

} // namespace lanecl::test
