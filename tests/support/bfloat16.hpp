// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// bfloat16 on the host. A bfloat16 is the upper half of a float.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace lanecl::test {

// Rounds to the nearest bfloat16. If two are equally close, takes the one whose last bit is 0.
inline uint16_t toBfloat16(float x) {
  const auto bits = std::bit_cast<uint32_t>(x);
  if (std::isnan(x))
    return uint16_t(bits >> 16 | 0x40);
  const uint32_t rest = bits & 0xffff;
  const bool up = rest > 0x8000 || (rest == 0x8000 && (bits >> 16 & 1) != 0);
  return uint16_t((bits >> 16) + up);
}

// Returns the float with the same value, which always exists.
inline float fromBfloat16(uint16_t bits) {
  return std::bit_cast<float>(uint32_t(bits) << 16);
}

} // namespace lanecl::test
