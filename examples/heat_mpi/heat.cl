// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// One step of the heat equation on a grid with a border: each point moves toward the mean of its four neighbors.
//
// A sub-group takes 16 columns and goes down the rows. It reads each row once and keeps it for the rows above and
// below. The neighbors to the left and to the right come from the lanes beside, and at the ends of the sub-group from
// memory.

// Products and sums are rounded one by one, as on the host, so that the results are equal bit by bit.
#pragma OPENCL FP_CONTRACT OFF

#define WIDTH 16
#define ROWS 16 // rows that one sub-group takes

float readRow(const global float *p) { return as_float(intel_sub_group_block_read((const global uint *)p)); }

// Computes the rows from `begin` to `end`, without `end`. A row has `pitch` floats: WIDTH floats, of which the last is
// the border, then its points, then the border again.
__attribute__((intel_reqd_sub_group_size(WIDTH)))
kernel void step(const global float *now, global float *next, uint pitch, uint begin, uint end, float rate) {
  const uint x = WIDTH + (uint)get_group_id(0) * WIDTH;
  const uint first = begin + (uint)get_group_id(1) * ROWS;
  const uint last = min(first + ROWS, end);
  const global float *row = now + first * pitch + x;
  float above = readRow(row - pitch);
  float here = readRow(row);
  for (uint y = first; y < last; ++y, row += pitch) {
    const float below = readRow(row + pitch);
    const float left = intel_sub_group_shuffle_up(row[-1], here, 1);
    const float right = intel_sub_group_shuffle_down(here, row[WIDTH], 1);
    const float moved = here + rate * ((above + below) + (left + right) - 4 * here);
    intel_sub_group_block_write((global uint *)(next + y * pitch + x), as_uint(moved));
    above = here;
    here = below;
  }
}
