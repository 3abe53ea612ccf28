// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstdio>
#include <exception>

namespace lanecl::test {

// Runs the body of a main function. Returns the exit status: 1 after an exception, whose text is printed, otherwise 0.
template <class Body> int exitStatusOf(const Body &body) {
  try {
    body();
  } catch (const std::exception &failure) {
    std::fprintf(stderr, "%s\n", failure.what());
    return 1;
  }
  return 0;
}

} // namespace lanecl::test
