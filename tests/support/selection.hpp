// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Which of many similar cases a test runs. LANECL_TEST_COMPLETE=1 leaves none out.
#pragma once

#include <cstdlib>
#include <string_view>

namespace lanecl::test {

inline bool runsEverything() {
  static const char *const setting = std::getenv("LANECL_TEST_COMPLETE");
  return setting != nullptr && std::string_view(setting) == "1";
}

// Kernels are built for debugging: the tests check the same statements in other code, and what depends on the size of
// work-groups is checked without debugging too.
inline bool isDebugged() {
  static const bool debugged = std::getenv("LANECL_DEBUG") != nullptr;
  return debugged;
}

// Whether a case is one of those that run where one in `count` does. Cases that differ in one dimension follow each
// other in `number`, so that each of that dimension meets each of the others sooner or later.
inline bool isInTurn(size_t number, size_t count) {
  return runsEverything() || number % count == 0;
}

} // namespace lanecl::test
