// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The function in which a debugger stops at a finding: tools/gdb sets a breakpoint in it.
#pragma once

#include <cstdint>

// Called after each new report by the thread that runs the kernel. Does nothing. `lanes` is the mask of the lanes that
// have broken the rule.
extern "C" void laneclCheckStop(uint64_t lanes);
