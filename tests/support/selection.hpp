// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Which of many similar cases a test runs. LANECL_TEST_COMPLETE=1 leaves none out.
#pragma once

#include <cstdlib>
#include <string_view>
#include <vector>

namespace lanecl::test {

inline bool runsEverything() {
  static const char *const setting = std::getenv("LANECL_TEST_COMPLETE");
  return setting != nullptr && std::string_view(setting) == "1";
}

// Kernels are built for debugging.
inline bool isDebugged() {
  static const bool debugged = std::getenv("LANECL_DEBUG") != nullptr;
  return debugged;
}

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define LANECL_TESTS_SANITIZED 1
#endif
#endif

// The tests run once more in other circumstances, with debugging or with sanitizers: what depends on the size of
// work-groups, or on details of kernels, is checked without them too.
inline bool isRepeated() {
#ifdef LANECL_TESTS_SANITIZED
  return true;
#else
  return isDebugged();
#endif
}

// The sub-group sizes of a test of kernels. Where the tests are repeated they take turns, and the two kinds of
// debugging begin with different ones, so that each size meets each subject of several tests.
inline std::vector<size_t> widthsInTurn() {
  static const char *const mode = std::getenv("LANECL_DEBUG");
  static size_t turn = mode != nullptr && std::string_view(mode) == "unoptimized";
  if (runsEverything() || !isRepeated())
    return {8, 16, 32};
  return {size_t(8) << turn++ % 3};
}

// Of a table of many cases each gets one of the sub-group sizes, its neighbour in `number` another one.
inline std::vector<size_t> oneWidthInTurn(size_t number) {
  if (runsEverything())
    return {8, 16, 32};
  return {size_t(8) << number % 3};
}

// The number of the first case: another one for each instruction set and for the two kinds of debugging, so that what
// one leaves out meets the other.
inline size_t firstTurn() {
  static const char *const isa = std::getenv("LANECL_ISA"), *const mode = std::getenv("LANECL_DEBUG");
  return (isa != nullptr && std::string_view(isa) == "avx512") ||
         (mode != nullptr && std::string_view(mode) == "unoptimized");
}

// Whether a case is one of those that run where one in `count` does. Cases that differ in one dimension follow each
// other in `number`, so that each of that dimension meets each of the others sooner or later.
inline bool isInTurn(size_t number, size_t count) {
  return runsEverything() || number % count == 0;
}

} // namespace lanecl::test
