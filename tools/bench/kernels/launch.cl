// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Kernels whose launch takes longer than their work.
kernel void empty() {}

kernel void increment(global uint *counters) { ++counters[get_global_id(0)]; }
