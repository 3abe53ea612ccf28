// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Kernels run with the default floating-point environment, whatever the host program has set.
#pragma once

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace lanecl::scheduler {

// For a scope: round to nearest, denormals kept, exceptions masked. The host program's settings come back at the end.
class DefaultFloatingPoint {
public:
#if defined(__x86_64__)
  DefaultFloatingPoint() : before(_mm_getcsr()) {
    if ((before & ~kFlags) != kDefault)
      _mm_setcsr(kDefault);
  }
  ~DefaultFloatingPoint() { _mm_setcsr(before); }

private:
  // MXCSR: all exceptions masked; and the six flags of exceptions that have occurred, which may differ.
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
