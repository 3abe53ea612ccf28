// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Tests run once for each instruction set, which LANECL_ISA chooses.
#pragma once

#include <cstdlib>
#include <string_view>

namespace lanecl::test {

inline constexpr int kSkipped = 77; // SKIP_RETURN_CODE of CTest

// Whether this processor can run the code that LANECL_ISA asks for.
inline bool isaAvailable() {
  const char *isa = std::getenv("LANECL_ISA");
  if (isa == nullptr)
    return true;
  if (std::string_view(isa) == "avx512")
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  return std::string_view(isa) != "avx2" || __builtin_cpu_supports("avx2");
}

} // namespace lanecl::test
