// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What instrumented code says of a place where a rule can be broken.
#pragma once

#include <cstdint>

namespace lanecl::abi {

enum class CheckRule : uint32_t {
  ReadOutOfBounds,
  WriteOutOfBounds,
  WholeSubGroup,   // the function is not called by all work-items of the sub-group
  FullSubGroup,    // the sub-group has fewer work-items than its size
  UniformArgument, // the argument differs between work-items
  BlockAlignment,  // the pointer is not a multiple of what the function asks for
  LaneOutOfRange,  // there is no such lane
  LaneNotActive,   // the value of a lane that does not call the function
};

// A constant of the generated code.
struct CheckSite {
  CheckRule rule;
  uint32_t line, column; // 0: not known
  const char *file;      // as the compiler names it
  const char *function;  // of OpenCL C, whose rule it is; or "read", "write"
  const char *calls;     // the functions that were inlined to get here, the innermost first: "NAME FILE:LINE\n"
};

} // namespace lanecl::abi
