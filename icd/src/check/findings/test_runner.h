// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The interface for test runners that run tests in the process of the kernels. tools/pytest asks after each test what
// was found in it.
#pragma once

// Calls `take` with each finding since the last call, as a JSON object. The text is valid only during that call of
// `take`. Does nothing outside check mode.
extern "C" void laneclTakeFindings(void (*take)(const char *finding));
