// Lanes leave the loop in different iterations, and its table is read at different places.
kernel void collatz(global const uint *table, global uint *steps) {
  uint x = get_global_id(0) + 1;
  uint count = 0;

  while (x != 1) {
    x = x & 1 ? 3 * x + 1 : x / 2;
    count += table[x & 63];
  }
  steps[get_global_id(0)] = count;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
