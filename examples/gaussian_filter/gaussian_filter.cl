// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Filters pixels of four 8-bit channels with a 5x5 Gaussian, the weights of which are 1 4 6 4 1 in both directions. The
// arithmetic is exact, on integers.
//
// A work-group is one sub-group of 16 and filters one row. It walks along the row in steps of 16 pixels. Each lane sums
// five pixels of its own column, and takes the sums of the two columns to its left and to its right from the
// neighboring lanes.

// Two 8-bit channels share a uint, with 16 bits for each: 255 times the sum of all weights, 256, still fits.
uint2 unpack(uint pixel) { return (uint2)(pixel & 0x00ff00ff, (pixel >> 8) & 0x00ff00ff); }

uint pack(uint2 sums) {
  const uint2 rounded = ((sums + 0x00800080u) >> 8) & 0x00ff00ff; // divided by 256
  return rounded.x | rounded.y << 8;
}

uint2 weigh(uint2 a, uint2 b, uint2 c, uint2 d, uint2 e) { return a + e + 4 * (b + d) + 6 * c; }

// Returns a row of the picture, or the nearest row if `y` is outside the picture.
const global uint *rowAt(const global uint *pixels, int y, int height, int pitch) {
  return pixels + clamp(y, 0, height - 1) * pitch;
}

// Filters the picture `source`. Pitches are in pixels. Each row has 16 more pixels before its first pixel and after its
// last block, which repeat the outermost pixels. So reading one block to the left or to the right stays in bounds.
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
