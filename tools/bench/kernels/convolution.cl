// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Applies 5 x 5 weights around each pixel. The buffer has two more pixels on each side; the image is read with a
// sampler that clamps coordinates.
kernel void from_buffer(const global float *restrict in, constant float *weights, global float *restrict out) {
  const int x = get_global_id(0), y = get_global_id(1), width = get_global_size(0), pitch = width + 4;
  float sum = 0;
  for (int j = 0; j < 5; ++j)
    for (int i = 0; i < 5; ++i)
      sum = fma(weights[j * 5 + i], in[(y + j) * pitch + x + i], sum);
  out[y * width + x] = sum;
}

constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

kernel void from_image(read_only image2d_t in, constant float *weights, global float *restrict out) {
  const int x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int j = 0; j < 5; ++j)
    for (int i = 0; i < 5; ++i)
      sum = fma(weights[j * 5 + i], read_imagef(in, nearest, (int2)(x + i - 2, y + j - 2)).x, sum);
  out[y * get_global_size(0) + x] = sum;
}
