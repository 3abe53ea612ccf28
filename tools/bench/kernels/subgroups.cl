// One sub-group function over and over, on values in registers: x = 5 x + f(x).
#define KERNEL __attribute__((intel_reqd_sub_group_size(WIDTH))) kernel void

#define REPEAT(name, call)                                                                                             \
  KERNEL name(global const uint *in, global uint *out, uint rounds) {                                                  \
    size_t i = get_global_id(0);                                                                                       \
    uint x = in[i], lane = get_sub_group_local_id();                                                                   \
    for (uint round = 0; round < rounds; ++round)                                                                      \
      x = 5 * x + (call);                                                                                              \
    out[i] = x;                                                                                                        \
  }

// The same few rows of `in`, which stay in the cache.
REPEAT(block_read, intel_sub_group_block_read(in + (round & 15) * WIDTH))
REPEAT(shuffle_constant, sub_group_shuffle_xor(x, 1))
REPEAT(shuffle_varying, sub_group_shuffle(x, x & (WIDTH - 1)))
REPEAT(broadcast, sub_group_broadcast(x, round & (WIDTH - 1)))
REPEAT(reduce, sub_group_reduce_add(x))
REPEAT(scan, sub_group_scan_inclusive_add(x))
REPEAT(ballot, sub_group_ballot(x & 64).x)
