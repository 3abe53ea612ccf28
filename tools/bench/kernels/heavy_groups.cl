// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Few work-groups with much work each: rounds of a random number generator.
kernel void heavy(global uint *states, uint rounds) {
  uint x = 2654435761u * (uint)(get_global_id(0) + 1);
  for (uint round = 0; round < rounds; ++round) {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
  }
  states[get_global_id(0)] = x;
}
