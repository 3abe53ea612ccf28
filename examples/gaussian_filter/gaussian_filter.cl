// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A 5x5 Gaussian, weights 1 4 6 4 1 in both directions, on pixels of four 8-bit channels. Exact integer arithmetic.
//
// A work-group is one sub-group of 16 and filters one row. It walks along the row in steps of 16 pixels: each lane
// sums five pixels of its own column, and takes the sums of the two columns to its left and right from its neighbours.

// Two 8-bit channels share a uint with 16 bits for each: 255 times the weights' sum of 256 still fits.
uint2 unpack(uint pixel) { return (uint2)(pixel & 0x00ff00ff, (pixel >> 8) & 0x00ff00ff); }

uint pack(uint2 sums) {
  const uint2 rounded = ((sums + 0x00800080u) >> 8) & 0x00ff00ff; // divided by 256
  return rounded.x | rounded.y << 8;
}

uint2 weigh(uint2 a, uint2 b, uint2 c, uint2 d, uint2 e) { return a + e + 4 * (b + d) + 6 * c; }

// A row of the picture, the nearest one when `y` is outside.
const global uint *rowAt(const global uint *pixels, int y, int height, int pitch) {
  return pixels + clamp(y, 0, height - 1) * pitch;
}

// The first pixel of a row has 16 pixels before it and 16 behind the last block: the rows repeat their outermost pixels to both sides, so that reading
// one block to the left or right stays inside. Pitches are in pixels.
__attribute__((intel_reqd_sub_group_size(16)))
kernel void gaussian_filter(const global uint *source, global uint *result, int height, int source_pitch,
                            int result_pitch) {
  const int y = get_group_id(1);
  const global uint *rows = source + 16;
  const global uint *row0 = rowAt(rows, y - 2, height, source_pitch);
  const global uint *row1 = rowAt(rows, y - 1, height, source_pitch);
  const global uint *row2 = rowAt(rows, y, height, source_pitch);
  const global uint *row3 = rowAt(rows, y + 1, height, source_pitch);
  const global uint *row4 = rowAt(rows, y + 2, height, source_pitch);
#define COLUMN_SUM(x)                                                                                                  \
  weigh(unpack(intel_sub_group_block_read(row0 + (x))), unpack(intel_sub_group_block_read(row1 + (x))),                \
        unpack(intel_sub_group_block_read(row2 + (x))), unpack(intel_sub_group_block_read(row3 + (x))),                \
        unpack(intel_sub_group_block_read(row4 + (x))))

  uint2 left = COLUMN_SUM(-16);
  uint2 here = COLUMN_SUM(0);
  for (int x = 0; x < result_pitch; x += 16) {
    const uint2 right = COLUMN_SUM(x + 16);
    const uint2 sum = weigh(intel_sub_group_shuffle_up(left, here, 2), intel_sub_group_shuffle_up(left, here, 1), here,
                            intel_sub_group_shuffle_down(here, right, 1), intel_sub_group_shuffle_down(here, right, 2));
    intel_sub_group_block_write(result + y * result_pitch + x, pack(sum));
    left = here;
    here = right;
  }
}
