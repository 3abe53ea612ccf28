// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "check/debugger_stop.h"

extern "C" __attribute__((noinline, visibility("default"))) void laneclCheckStop(uint64_t lanes) {
  asm volatile("" : : "r"(lanes) : "memory");
}
