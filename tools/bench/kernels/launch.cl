// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

kernel void empty() {}

kernel void increment(global uint *counters) { ++counters[get_global_id(0)]; }
