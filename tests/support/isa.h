// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Tests run once for each instruction set, which LANECL_ISA chooses.
#pragma once

#include <cstdlib>
#include <string_view>

namespace lanecl::test {

inline constexpr int kSkipped = 77; // SKIP_RETURN_CODE of CTest

inline bool processorHas(std::string_view isa) {
  if (isa == "avx512")
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  return isa != "avx2" || __builtin_cpu_supports("avx2");
}

// Whether this processor can run the code that LANECL_ISA asks for.
inline bool isaAvailable() {
  const char *isa = std::getenv("LANECL_ISA");
  return isa == nullptr || processorHas(isa);
}

} // namespace lanecl::test
