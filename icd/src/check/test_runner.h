// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What a test runner asks that runs tests in the process of the kernels, as tools/pytest does behind each test.
#pragma once

// Calls `take` with each finding since the last call, an object of JSON that is valid during the call. Nothing without
// check mode.
extern "C" void laneclTakeFindings(void (*take)(const char *finding));
