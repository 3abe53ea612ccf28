// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Kernels run with the default floating-point environment, whatever the host has set.
#pragma once

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace lanecl::scheduler {

// Round to nearest, denormals kept, exceptions masked; the host's settings come back at the end of the scope.
class DefaultFloatingPoint {
public:
#if defined(__x86_64__)
  DefaultFloatingPoint() : before(_mm_getcsr()) {
    if ((before & ~kFlags) != kDefault)
      _mm_setcsr(kDefault);
  }
  ~DefaultFloatingPoint() { _mm_setcsr(before); }

private:
  static constexpr unsigned kDefault = 0x1f80, kFlags = 0x3f;
  const unsigned before;
#else
  DefaultFloatingPoint() {}
  ~DefaultFloatingPoint() {}
#endif
public:
  DefaultFloatingPoint(const DefaultFloatingPoint &) = delete;
  DefaultFloatingPoint &operator=(const DefaultFloatingPoint &) = delete;
};

} // namespace lanecl::scheduler
