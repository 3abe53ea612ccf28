// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Hands findings to a test runner as JSON.
#include "check/findings/test_runner.h"

#include "check/check_mode.h"

#include <cstdio>
#include <exception>

using namespace lanecl::icd;

extern "C" __attribute__((visibility("default"))) void laneclTakeFindings(void (*take)(const char *finding)) {
  try {
    for (const Finding &finding : takeFindings())
      take(asJson(finding).c_str());
  } catch (const std::exception &error) {
    std::fprintf(stderr, "LaneCL: findings cannot be passed to the test: %s\n", error.what());
  }
}
