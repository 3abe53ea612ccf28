// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels for program_opencl, openclsrc and xfade_opencl.
const sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

kernel void mirror(write_only image2d_t to, unsigned int index, read_only image2d_t from) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  int2 mirrored = (int2)(get_image_width(from) - 1 - at.x, at.y);
  write_imagef(to, at, read_imagef(from, nearest, mirrored));
}

kernel void average(write_only image2d_t to, unsigned int index, read_only image2d_t a, read_only image2d_t b) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(to, at, (read_imagef(a, nearest, at) + read_imagef(b, nearest, at)) / 2);
}

kernel void pattern(write_only image2d_t to, unsigned int index) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(to, at, (float4)(((at.x * 3 + at.y * 5 + index * 7) % 256) / 255.0f));
}

kernel void columns(write_only image2d_t to, read_only image2d_t a, read_only image2d_t b, float progress) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(to, at, at.x % 2 ? read_imagef(a, nearest, at) : read_imagef(b, nearest, at));
}
