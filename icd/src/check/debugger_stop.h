// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Where a debugger stops at a finding. tools/gdb has a breakpoint here.
#pragma once

#include <cstdint>

// Called by the thread that runs the kernel, behind the report. Does nothing. `lanes` have broken the rule.
extern "C" void laneclCheckStop(uint64_t lanes);
