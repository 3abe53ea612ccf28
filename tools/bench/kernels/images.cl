// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Copies a picture pixel by pixel, and reduces one with linear interpolation.
constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
constant sampler_t smooth = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;

kernel void copy(read_only image2d_t in, write_only image2d_t out) {
  const int2 place = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(out, place, read_imagef(in, nearest, place));
}

kernel void scale(read_only image2d_t in, write_only image2d_t out, float step) {
  const int2 place = (int2)(get_global_id(0), get_global_id(1));
  const float2 center = ((float2)(place.x, place.y) + 0.5f) * step;
  write_imagef(out, place, read_imagef(in, smooth, center));
}
