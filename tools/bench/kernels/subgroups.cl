// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Calls one sub-group function again and again on values in registers: x = 5 x + f(x). A work-item has several
// independent values x, enough to fill 64 lanes at every width, so that the throughput of the instructions is measured
// and not their latency.
#define KERNEL __attribute__((intel_reqd_sub_group_size(WIDTH))) kernel void
#define VALUES (64 / WIDTH)

#define REPEAT(name, call)                                                                                             \
  KERNEL name(global const uint *in, global uint *out, uint rounds) {                                                  \
    size_t i = get_global_id(0);                                                                                       \
    uint values[VALUES];                                                                                               \
    __attribute__((opencl_unroll_hint(VALUES))) for (uint k = 0; k < VALUES; ++k)                                      \
      values[k] = in[i] + k;                                                                                           \
    for (uint round = 0; round < rounds; ++round)                                                                      \
      __attribute__((opencl_unroll_hint(VALUES))) for (uint k = 0; k < VALUES; ++k) {                                  \
        uint x = values[k];                                                                                            \
        values[k] = 5 * x + (call);                                                                                    \
      }                                                                                                                \
    uint all = 0;                                                                                                      \
    __attribute__((opencl_unroll_hint(VALUES))) for (uint k = 0; k < VALUES; ++k)                                      \
      all ^= values[k];                                                                                                \
    out[i] = all;                                                                                                      \
  }

// Reads the same few rows of `in` again and again, which stay in the cache.
REPEAT(block_read, intel_sub_group_block_read(in + ((round + k) & 15) * WIDTH))
REPEAT(shuffle_constant, sub_group_shuffle_xor(x, 1))
REPEAT(shuffle_varying, sub_group_shuffle(x, x & (WIDTH - 1)))
REPEAT(broadcast, sub_group_broadcast(x, (round + k) & (WIDTH - 1)))
REPEAT(reduce, sub_group_reduce_add(x))
REPEAT(scan, sub_group_scan_inclusive_add(x))
REPEAT(ballot, sub_group_ballot(x & 64).x)
