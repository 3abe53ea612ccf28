// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Chooses which of many similar cases a test runs. LANECL_TEST_COMPLETE=1 leaves none out.
#pragma once

#include "isa.h"

#include <cstdlib>
#include <string_view>
#include <vector>

namespace lanecl::test {

// Whether an environment variable has this value.
inline bool isSet(const char *name, std::string_view value) {
  const char *const setting = std::getenv(name);
  return setting != nullptr && setting == value;
}

// Whether no case is left out.
inline bool runsEverything() {
  return isSet("LANECL_TEST_COMPLETE", "1");
}

// Whether kernels are built for debugging.
inline bool isDebugged() {
  static const bool debugged = std::getenv("LANECL_DEBUG") != nullptr;
  return debugged;
}

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define LANECL_TESTS_SANITIZED 1
#endif
#endif

// Whether the tests run once more under other circumstances: with debugging, with functions that are not inlined, for
// processors without AVX2, or with sanitizers. Cases that differ only in the size of work-groups or in details of
// kernels may be left out then, because the ordinary run checks them.
inline bool isRepeated() {
#ifdef LANECL_TESTS_SANITIZED
  return true;
#else
  static const bool repeated = isDebugged() || isSet("LANECL_KEEP_FUNCTIONS", "1") || isSet("LANECL_ISA", "sse42");
  return repeated;
#endif
}

// Whether the tests run for AVX2 on a processor that runs them for AVX-512, too.
inline bool isSecondIsa() {
  return isSet("LANECL_ISA", "avx2") && processorHas("avx512");
}

// The sub-group sizes for one test of kernels. In a repeated run and for a second instruction set, each call gets one
// of the sizes in turn. The kinds of such runs start with different sizes, so that each size meets each subject of
// several tests.
inline std::vector<size_t> widthsInTurn() {
  static size_t turn = isSet("LANECL_DEBUG", "unoptimized") ? 1 : isSet("LANECL_ISA", "sse42") ? 2 : 0;
  if (runsEverything() || !(isRepeated() || isSecondIsa()))
    return {8, 16, 32};
  return {size_t(8) << turn++ % 3};
}

// One sub-group size for each case of a large table, by the case's number, so that neighboring cases get different
// sizes.
inline std::vector<size_t> oneWidthInTurn(size_t number) {
  if (runsEverything())
    return {8, 16, 32};
  return {size_t(8) << number % 3};
}

// The number of the first case. It differs between the instruction sets, and between the two kinds of debugging, so
// that a case that one of them leaves out runs under the other one.
inline size_t firstTurn() {
  return isSet("LANECL_ISA", "avx512") || isSet("LANECL_DEBUG", "unoptimized");
}

// Whether the case with this number runs if one in `count` does. Cases that differ in one dimension have consecutive
// numbers, so that each value of that dimension meets each value of the others sooner or later.
inline bool isInTurn(size_t number, size_t count) {
  return runsEverything() || number % count == 0;
}

} // namespace lanecl::test
