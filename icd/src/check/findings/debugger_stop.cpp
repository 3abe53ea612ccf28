// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "check/findings/debugger_stop.h"

// The empty assembly keeps the call and its argument from being optimized away.
extern "C" __attribute__((noinline, visibility("default"))) void laneclCheckStop(uint64_t lanes) {
  asm volatile("" : : "r"(lanes) : "memory");
}
