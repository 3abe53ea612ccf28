// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Names the instruction set that the references are compiled for.
#include "native.h"

namespace bench::native {

const char *instructionSet() {
#if defined(__AVX512VL__) && defined(__AVX512BW__)
  return "avx512";
#elif defined(__AVX2__)
  return "avx2";
#else
  return "sse2";
#endif
}

} // namespace bench::native
