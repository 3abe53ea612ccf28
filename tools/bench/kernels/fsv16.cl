// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A convolution with 3 x 3 weights in a layout of OpenVINO's GPU plugin: 16 features of a pixel are contiguous, and
// slices of 16 features follow each other. The lanes of a sub-group are 16 output features, for BLOCK pixels of a row.
// The remaining pixels of a row are computed one by one, and features that do not exist are not written.
#define BLOCK 8

// Reads pixels [x, x + BLOCK + 2) of a padded row. Pixels past its end are zeros.
void readLine(float *line, const global float *row, int x, int pitch) {
  if (x + BLOCK + 2 <= pitch) {
    const float8 pixels = as_float8(intel_sub_group_block_read8((const global uint *)(row + x * 16)));
    const float2 last = as_float2(intel_sub_group_block_read2((const global uint *)(row + (x + BLOCK) * 16)));
    vstore8(pixels, 0, line);
    vstore2(last, 0, line + BLOCK);
    return;
  }
  for (int i = 0; i < BLOCK + 2; ++i)
    line[i] = x + i < pitch ? as_float(intel_sub_group_block_read((const global uint *)(row + (x + i) * 16))) : 0;
}

__attribute__((intel_reqd_sub_group_size(16)))
kernel void convolve(const global float *restrict in, const global float *restrict weights, global float *restrict out,
                     int in_slices, int features, int width, int height) {
  const int x = get_group_id(0) * BLOCK, y = get_group_id(1), slice = get_group_id(2);
  const int pitch = width + 2, rows = height + 2;
  float sums[BLOCK] = {};
  for (int in_slice = 0; in_slice < in_slices; ++in_slice)
    for (int ky = 0; ky < 3; ++ky) {
      float line[BLOCK + 2];
      readLine(line, in + (in_slice * rows + y + ky) * pitch * 16, x, pitch);
      for (int kx = 0; kx < 3; ++kx) {
        const global uint *block = (const global uint *)(weights + (((slice * in_slices + in_slice) * 3 + ky) * 3 + kx) * 256);
        __attribute__((opencl_unroll_hint(16))) for (int feature = 0; feature < 16; ++feature) {
          const float weight = as_float(intel_sub_group_block_read(block + feature * 16));
          __attribute__((opencl_unroll_hint(BLOCK))) for (int i = 0; i < BLOCK; ++i)
            sums[i] = fma(sub_group_broadcast(line[i + kx], feature), weight, sums[i]);
        }
      }
    }

  global float *result = out + ((slice * height + y) * width + x) * 16;
  const bool is_whole_slice = (slice + 1) * 16 <= features;
  if (is_whole_slice && x + BLOCK <= width) {
    intel_sub_group_block_write8((global uint *)result, as_uint8(vload8(0, sums)));
    return;
  }
  const int lane = get_sub_group_local_id();
  for (int i = 0; i < BLOCK && x + i < width; ++i)
    if (slice * 16 + lane < features)
      result[i * 16 + lane] = sums[i];
}
