// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Work-items that count with atomics: all in one place, in many places, and to get the next free place of an array.
kernel void one_counter(const global uint *values, global uint *counters) {
  if (values[get_global_id(0)] & 1)
    atomic_inc(counters);
}

kernel void many_counters(const global uint *values, global uint *counters) {
  atomic_inc(&counters[values[get_global_id(0)] & 1023]);
}

kernel void append(const global uint *values, global uint *counters, global uint *list) {
  const uint value = values[get_global_id(0)];
  if (value & 1)
    list[atomic_inc(counters)] = value;
}
