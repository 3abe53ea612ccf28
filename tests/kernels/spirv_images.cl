// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Kernels that read and write images of every shape, for spirv_images.cpp.
#define IDS                                                                                                            \
  const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);                                          \
  const int i = (z * (int)get_global_size(1) + y) * (int)get_global_size(0) + x;
#define KERNEL(width) kernel __attribute__((intel_reqd_sub_group_size(width))) void

#define SAMPLED(s, c) s, c
#define NOT_SAMPLED(s, c) c

// Reads without a sampler, and with one at integer coordinates and at the centers of elements.
#define ACCESS(T, shape, sampler, c, real, f, V)                                                                       \
  KERNEL(16) read_##f##_##shape(read_only T in, sampler_t s, global V *out) {                                          \
    IDS out[3 * i] = read_image##f(in, c);                                                                             \
    out[3 * i + 1] = read_image##f(in, sampler(s, c));                                                                 \
    out[3 * i + 2] = read_image##f(in, sampler(s, real));                                                              \
  }                                                                                                                    \
  KERNEL(8) write_##f##_##shape(write_only T out, global const V *in) {                                                \
    IDS write_image##f(out, c, in[i]);                                                                                 \
  }                                                                                                                    \
  KERNEL(32) update_##f##_##shape(read_write T image, global V *values) {                                              \
    IDS const V old = read_image##f(image, c);                                                                         \
    write_image##f(image, c, values[i]);                                                                               \
    values[i] = old;                                                                                                   \
  }
#define SHAPE(T, shape, sampler, c, real)                                                                              \
  ACCESS(T, shape, sampler, c, real, f, float4)                                                                        \
  ACCESS(T, shape, sampler, c, real, i, int4)                                                                          \
  ACCESS(T, shape, sampler, c, real, ui, uint4)

SHAPE(image1d_t, 1d, SAMPLED, x, x + 0.5f)
SHAPE(image1d_buffer_t, 1d_buffer, NOT_SAMPLED, x, x)
SHAPE(image1d_array_t, 1d_array, SAMPLED, ((int2)(x, y)), ((float2)(x + 0.5f, y)))
SHAPE(image2d_t, 2d, SAMPLED, ((int2)(x, y)), ((float2)(x + 0.5f, y + 0.5f)))
SHAPE(image2d_array_t, 2d_array, SAMPLED, ((int4)(x, y, z, x)), ((float4)(x + 0.5f, y + 0.5f, z, x)))
SHAPE(image3d_t, 3d, SAMPLED, ((int4)(x, y, z, x)), ((float4)(x + 0.5f, y + 0.5f, z + 0.5f, x)))
ACCESS(image2d_depth_t, 2d_depth, SAMPLED, ((int2)(x, y)), ((float2)(x + 0.5f, y + 0.5f)), f, float)
ACCESS(image2d_array_depth_t, 2d_array_depth, SAMPLED, ((int4)(x, y, z, x)), ((float4)(x + 0.5f, y + 0.5f, z, x)), f,
       float)
