// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Computes the sum and the inclusive prefix sums of an array with sub-groups of 16.
//
// A work-group is one sub-group and takes one chunk of the array. For the prefix sums the host runs
//   reduce        to compute the sum of every chunk
//   scan_sums     to compute the exclusive prefix sums of these, where the chunks start (one work-group)
//   scan_chunks   to compute the prefix sums inside every chunk
// For the sum alone it runs `reduce` twice, the second time over the sums of the chunks.

#define WIDTH 16

float readBlock(const global float *p) { return as_float(intel_sub_group_block_read((const global uint *)p)); }

float4 readBlock4(const global float *p) { return as_float4(intel_sub_group_block_read4((const global uint *)p)); }

__attribute__((intel_reqd_sub_group_size(WIDTH)))
kernel void reduce(const global float *values, uint count, uint chunk, global float *sums) {
  const uint begin = get_group_id(0) * chunk;
  const uint end = min(begin + chunk, count);
  uint i = begin;
  float4 block = 0; // four sums a lane, so that an addition need not wait for the one before
  for (; i + 4 * WIDTH <= end; i += 4 * WIDTH)
    block += readBlock4(values + i);
  float sum = (block.x + block.y) + (block.z + block.w);
  for (i += get_sub_group_local_id(); i < end; i += WIDTH) // the rest is less than a block
    sum += values[i];
  sum = sub_group_reduce_add(sum);
  if (get_sub_group_local_id() == 0)
    sums[get_group_id(0)] = sum;
}

__attribute__((intel_reqd_sub_group_size(WIDTH)))
kernel void scan_sums(global float *sums, uint count) {
  float start = 0;
  for (uint first = 0; first < count; first += WIDTH) {
    const uint i = first + get_sub_group_local_id();
    const float sum = i < count ? sums[i] : 0;
    const float before = start + sub_group_scan_exclusive_add(sum);
    if (i < count)
      sums[i] = before;
    start += sub_group_reduce_add(sum);
  }
}

__attribute__((intel_reqd_sub_group_size(WIDTH)))
kernel void scan_chunks(const global float *values, uint count, uint chunk, const global float *starts,
                        global float *result) {
  const uint begin = get_group_id(0) * chunk;
  const uint end = min(begin + chunk, count);
  float start = starts[get_group_id(0)];
  uint first = begin;
  for (; first + WIDTH <= end; first += WIDTH) {
    const float scanned = start + sub_group_scan_inclusive_add(readBlock(values + first));
    intel_sub_group_block_write((global uint *)(result + first), as_uint(scanned));
    start = sub_group_broadcast(scanned, WIDTH - 1);
  }
  const uint i = first + get_sub_group_local_id();
  const float scanned = start + sub_group_scan_inclusive_add(i < end ? values[i] : 0);
  if (i < end)
    result[i] = scanned;
}
