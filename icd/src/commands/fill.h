// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Fills memory with a repeated pattern.
#pragma once

#include "device/device_limits.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstring>

namespace lanecl::icd {

// CL_INVALID_VALUE if pattern is NULL, or if pattern_size is zero, not a power of two or greater than 128.
inline bool isFillPattern(const void *pattern, size_t size) {
  return pattern && size <= kMaxFillPattern && std::has_single_bit(size);
}

// A copy of the application's pattern, which may change before the command runs.
struct FillPattern {
  FillPattern(const void *pattern, size_t pattern_size) : size(pattern_size) {
    assert(isFillPattern(pattern, pattern_size) && "the pattern has no room, or does not divide the memory");
    std::memcpy(bytes.data(), pattern, size);
  }
  // Fills `count` bytes, a multiple of the pattern's size.
  void fill(std::byte *target, size_t count) const {
    assert(count % size == 0 && "the last copy of the pattern would be incomplete");
    if (count == 0)
      return;
    std::memcpy(target, bytes.data(), size);
    // Doubles the filled part by copying it to the bytes after it. Copies stay short enough to be read from the cache.
    for (size_t done = size; done < count;) {
      const size_t next = std::min(std::min(done, size_t(1) << 15), count - done);
      std::memcpy(target + done, target, next);
      done += next;
    }
  }
  std::array<std::byte, kMaxFillPattern> bytes{};
  size_t size;
};

} // namespace lanecl::icd
