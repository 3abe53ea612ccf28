// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Declares functions of extensions that Clang's opencl-c.h lacks. It is included after opencl-c.h, before every
// program.
#ifndef LANECL_C_H
#define LANECL_C_H

// Attributes of the declarations: overloadable, because several functions have one name, and convergent, because
// work-items call these functions together.
#define __lanecl_ovld __attribute__((overloadable))
#define __lanecl_conv __attribute__((convergent))

// Clang defines CLK_NULL_RESERVE_ID as a cast that is not valid.
#if defined(__opencl_c_pipes) || (defined(__OPENCL_C_VERSION__) && __OPENCL_C_VERSION__ == 200)
reserve_id_t __lanecl_ovld __lanecl_null_reserve_id(void);
#undef CLK_NULL_RESERVE_ID
#define CLK_NULL_RESERVE_ID __lanecl_null_reserve_id()
#endif

// Split barriers. The functions with a scope exist since OpenCL C 2.0.
#ifdef cl_intel_split_work_group_barrier
void __lanecl_ovld __lanecl_conv intel_work_group_barrier_arrive(cl_mem_fence_flags flags);
void __lanecl_ovld __lanecl_conv intel_work_group_barrier_wait(cl_mem_fence_flags flags);
#if defined(__OPENCL_C_VERSION__) && __OPENCL_C_VERSION__ >= 200
void __lanecl_ovld __lanecl_conv intel_work_group_barrier_arrive(cl_mem_fence_flags flags, memory_scope scope);
void __lanecl_ovld __lanecl_conv intel_work_group_barrier_wait(cl_mem_fence_flags flags, memory_scope scope);
#endif
#endif

// OpenCL C 2.0 and later, and C++ for OpenCL, have these functions.
#if defined(cl_khr_work_group_uniform_arithmetic) && (!defined(__OPENCL_C_VERSION__) || __OPENCL_C_VERSION__ >= 200)
#define __lanecl_collective(T, op)                                                                                     \
  T __lanecl_ovld __lanecl_conv work_group_reduce_##op(T);                                                             \
  T __lanecl_ovld __lanecl_conv work_group_scan_inclusive_##op(T);                                                     \
  T __lanecl_ovld __lanecl_conv work_group_scan_exclusive_##op(T)
#define __lanecl_collectives(T)                                                                                        \
  __lanecl_collective(T, and);                                                                                         \
  __lanecl_collective(T, or);                                                                                          \
  __lanecl_collective(T, xor);                                                                                         \
  __lanecl_collective(T, mul)
__lanecl_collective(int, logical_and);
__lanecl_collective(int, logical_or);
__lanecl_collective(int, logical_xor);
__lanecl_collectives(int);
__lanecl_collectives(uint);
__lanecl_collectives(long);
__lanecl_collectives(ulong);
__lanecl_collective(float, mul);
#ifdef cl_khr_fp64
__lanecl_collective(double, mul);
#endif
#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
__lanecl_collective(half, mul);
#pragma OPENCL EXTENSION cl_khr_fp16 : disable
#endif
#undef __lanecl_collectives
#undef __lanecl_collective
#endif

// Copies of planes of lines, and of volumes of planes.
#ifdef cl_khr_extended_async_copies
#define __lanecl_copy(name, to, from, ...)                                                                             \
  event_t __lanecl_ovld async_work_group_copy_##name(to void *, size_t, const from void *, size_t, size_t, size_t,     \
                                                     __VA_ARGS__, event_t)
__lanecl_copy(2D2D, __local, __global, size_t, size_t, size_t);
__lanecl_copy(2D2D, __global, __local, size_t, size_t, size_t);
__lanecl_copy(3D3D, __local, __global, size_t, size_t, size_t, size_t, size_t, size_t);
__lanecl_copy(3D3D, __global, __local, size_t, size_t, size_t, size_t, size_t, size_t);
#undef __lanecl_copy
#endif

// Image block functions. opencl-c.h declares them for OpenCL C 3.0 only, and declares the writes called _ui for
// read_only images by mistake.
#if defined(cl_intel_subgroups) && defined(__IMAGE_SUPPORT__)
#define __lanecl_read(T, name, n)                                                                                      \
  T##n __lanecl_ovld __lanecl_conv intel_sub_group_block_read##name##n(read_only image2d_t, int2);
#define __lanecl_write(T, name, n)                                                                                     \
  void __lanecl_ovld __lanecl_conv intel_sub_group_block_write##name##n(write_only image2d_t, int2, T##n);
#define __lanecl_reads(T, name)                                                                                        \
  __lanecl_read(T, name, ) __lanecl_read(T, name, 2) __lanecl_read(T, name, 4) __lanecl_read(T, name, 8)
#define __lanecl_writes(T, name)                                                                                       \
  __lanecl_write(T, name, ) __lanecl_write(T, name, 2) __lanecl_write(T, name, 4) __lanecl_write(T, name, 8)
#define __lanecl_both(T, name) __lanecl_reads(T, name) __lanecl_writes(T, name)
#define __lanecl_both_wide(T, name) __lanecl_both(T, name) __lanecl_read(T, name, 16) __lanecl_write(T, name, 16)
#if defined(cl_intel_subgroups_char) || defined(cl_intel_subgroups_short) || defined(cl_intel_subgroups_long)
__lanecl_writes(uint, _ui)
#endif
#ifndef __opencl_c_images
__lanecl_both(uint, )
#if defined(cl_intel_subgroups_char) || defined(cl_intel_subgroups_short) || defined(cl_intel_subgroups_long)
__lanecl_reads(uint, _ui)
#endif
#ifdef cl_intel_subgroups_char
__lanecl_both_wide(uchar, _uc)
#endif
#ifdef cl_intel_subgroups_short
__lanecl_both_wide(ushort, _us)
#endif
#ifdef cl_intel_subgroups_long
__lanecl_both_wide(ulong, _ul)
#endif
#endif
#undef __lanecl_both_wide
#undef __lanecl_both
#undef __lanecl_writes
#undef __lanecl_reads
#undef __lanecl_write
#undef __lanecl_read
#endif

// Media block functions. The arguments are the position in bytes and rows, the width in elements and the height in
// rows.
#if defined(cl_intel_media_block_io) && defined(__IMAGE_SUPPORT__)
#define __lanecl_media(T, name, n)                                                                                     \
  T##n __lanecl_ovld __lanecl_conv intel_sub_group_media_block_read##name##n(int2, int, int, read_only image2d_t);     \
  void __lanecl_ovld __lanecl_conv intel_sub_group_media_block_write##name##n(int2, int, int, T##n,                    \
                                                                              write_only image2d_t);                   \
  __lanecl_media_both(T, name, n)
#ifdef __opencl_c_read_write_images
#define __lanecl_media_both(T, name, n)                                                                                \
  T##n __lanecl_ovld __lanecl_conv intel_sub_group_media_block_read##name##n(int2, int, int, read_write image2d_t);    \
  void __lanecl_ovld __lanecl_conv intel_sub_group_media_block_write##name##n(int2, int, int, T##n,                    \
                                                                              read_write image2d_t);
#else
#define __lanecl_media_both(T, name, n)
#endif
#define __lanecl_medias(T, name)                                                                                       \
  __lanecl_media(T, name, ) __lanecl_media(T, name, 2) __lanecl_media(T, name, 4) __lanecl_media(T, name, 8)
__lanecl_medias(uchar, _uc)
__lanecl_media(uchar, _uc, 16)
__lanecl_medias(ushort, _us)
__lanecl_media(ushort, _us, 16)
__lanecl_medias(uint, _ui)
#undef __lanecl_medias
#undef __lanecl_media_both
#undef __lanecl_media
#endif

// In sub-groups of 8 a lane has an int of each row, and in those of 16 a short. A device may have matrix functions for
// one of these sizes only (__lanecl_matrix_sub_group).
#ifdef cl_intel_subgroup_matrix_multiply_accumulate
#define __lanecl_mad(name, A, B, T) T __lanecl_ovld __lanecl_conv intel_sub_group_##name(A a, B b, T acc)
#define __lanecl_mad_rows(name, A, B, T)                                                                               \
  __lanecl_mad(name, A, B, T);                                                                                         \
  __lanecl_mad(name, A##2, B, T##2);                                                                                   \
  __lanecl_mad(name, A##4, B, T##4);                                                                                   \
  __lanecl_mad(name, A##8, B, T##8)
#ifndef __lanecl_matrix_sub_group
#define __lanecl_mad_sizes(name, sign, B, T)                                                                           \
  __lanecl_mad_rows(name, sign##int, B, T);                                                                            \
  __lanecl_mad_rows(name, sign##short, B, T)
#elif __lanecl_matrix_sub_group == 8
#define __lanecl_mad_sizes(name, sign, B, T) __lanecl_mad_rows(name, sign##int, B, T)
#else
#define __lanecl_mad_sizes(name, sign, B, T) __lanecl_mad_rows(name, sign##short, B, T)
#endif
#define __lanecl_mad_integers(bits, k)                                                                                 \
  __lanecl_mad_sizes(i##bits##_i##bits##_matrix_mad_##k, , int8, int);                                                 \
  __lanecl_mad_sizes(i##bits##_u##bits##_matrix_mad_##k, , uint8, int);                                                \
  __lanecl_mad_sizes(u##bits##_i##bits##_matrix_mad_##k, u, int8, int);                                                \
  __lanecl_mad_sizes(u##bits##_u##bits##_matrix_mad_##k, u, uint8, int)
__lanecl_mad_integers(8, k32);
__lanecl_mad_integers(4, k64);
__lanecl_mad_sizes(bf16_bf16_matrix_mad_k16, , int8, float);
__lanecl_mad_sizes(f16_f16_matrix_mad_k16, , int8, float);
#if !defined(__lanecl_matrix_sub_group) || __lanecl_matrix_sub_group == 16
__lanecl_mad_rows(bf16_bf16_matrix_mad_k16, short, int8, short);
#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define __lanecl_mad_half(n)                                                                                           \
  half##n __lanecl_ovld __lanecl_conv intel_sub_group_f16_f16_matrix_mad_k16(short##n a, int8 b, half##n acc)
__lanecl_mad_half();
__lanecl_mad_half(2);
__lanecl_mad_half(4);
__lanecl_mad_half(8);
#undef __lanecl_mad_half
#pragma OPENCL EXTENSION cl_khr_fp16 : disable
#endif
#endif
#undef __lanecl_mad_integers
#undef __lanecl_mad_sizes
#undef __lanecl_mad_rows
#undef __lanecl_mad
#endif

// Each of two partner sub-groups gives half of the rows of the left matrix, so a lane passes half as many values.
#ifdef cl_intel_subgroup_split_matrix_multiply_accumulate
#define __lanecl_split_mad(types, k, A, B, T)                                                                          \
  T##2 __lanecl_ovld __lanecl_conv intel_sub_group_##types##_split_matrix_mad_##k(A a, B b, T##2 acc);                 \
  T##4 __lanecl_ovld __lanecl_conv intel_sub_group_##types##_split_matrix_mad_##k(A##2 a, B b, T##4 acc);              \
  T##8 __lanecl_ovld __lanecl_conv intel_sub_group_##types##_split_matrix_mad_##k(A##4 a, B b, T##8 acc)
__lanecl_split_mad(i8_i8, k32, int, int8, int);
__lanecl_split_mad(i8_u8, k32, int, uint8, int);
__lanecl_split_mad(u8_i8, k32, uint, int8, int);
__lanecl_split_mad(u8_u8, k32, uint, uint8, int);
__lanecl_split_mad(bf16_bf16, k16, int, int8, float);
__lanecl_split_mad(f16_f16, k16, int, int8, float);
#undef __lanecl_split_mad
#endif

// Matrices of tf32 are matrices of floats, of which the last 13 bits of the mantissa are not used.
#ifdef cl_intel_subgroup_matrix_multiply_accumulate_tf32
float __lanecl_ovld __lanecl_conv intel_sub_group_tf32_tf32_matrix_mad_k8(float a, float8 b, float acc);
float2 __lanecl_ovld __lanecl_conv intel_sub_group_tf32_tf32_matrix_mad_k8(float a, float8 b, float2 acc);
float4 __lanecl_ovld __lanecl_conv intel_sub_group_tf32_tf32_matrix_mad_k8(float2 a, float8 b, float4 acc);
float8 __lanecl_ovld __lanecl_conv intel_sub_group_tf32_tf32_matrix_mad_k8(float4 a, float8 b, float8 acc);
#define __lanecl_tf32(n)                                                                                               \
  float##n __lanecl_ovld __attribute__((const)) intel_convert_tfloat32##n##_as_float##n(float##n source)
__lanecl_tf32();
__lanecl_tf32(2);
__lanecl_tf32(3);
__lanecl_tf32(4);
__lanecl_tf32(8);
__lanecl_tf32(16);
#undef __lanecl_tf32
#endif

// Functions for 2-D blocks. A name such as 8b_2r32x1c means elements of 8 bits, 2 rows of 32 columns, and 1 block.
#ifdef cl_intel_subgroup_2d_block_io
#define __lanecl_block_2d(name, ...)                                                                                   \
  void __lanecl_ovld __lanecl_conv intel_sub_group_2d_block_##name(__global void *base_address, int width, int height, \
                                                                   int pitch, int2 coord, ##__VA_ARGS__)
#define __lanecl_block_read(shape, T) __lanecl_block_2d(read_##shape, __private T *destination)
#define __lanecl_block_write(shape, T) __lanecl_block_2d(write_##shape, __private T *value)
#define __lanecl_block_prefetch(shape) __lanecl_block_2d(prefetch_##shape)
#define __lanecl_block_few_rows(function, bits, blocks, ...)                                                           \
  function(bits##b_1r##blocks, ##__VA_ARGS__);                                                                         \
  function(bits##b_2r##blocks, ##__VA_ARGS__);                                                                         \
  function(bits##b_4r##blocks, ##__VA_ARGS__);                                                                         \
  function(bits##b_8r##blocks, ##__VA_ARGS__)
#define __lanecl_block_rows(function, bits, blocks, ...)                                                               \
  __lanecl_block_few_rows(function, bits, blocks, ##__VA_ARGS__);                                                      \
  function(bits##b_16r##blocks, ##__VA_ARGS__);                                                                        \
  function(bits##b_32r##blocks, ##__VA_ARGS__)
__lanecl_block_rows(__lanecl_block_read, 8, 32x1c, ushort);
__lanecl_block_rows(__lanecl_block_read, 8, 32x2c, ushort);
__lanecl_block_rows(__lanecl_block_read, 16, 16x1c, ushort);
__lanecl_block_rows(__lanecl_block_read, 16, 16x2c, ushort);
__lanecl_block_rows(__lanecl_block_read, 32, 8x1c, uint);
__lanecl_block_rows(__lanecl_block_read, 32, 8x2c, uint);
__lanecl_block_rows(__lanecl_block_read, 32, 16x1c, uint);
__lanecl_block_read(8b_8r16x4c, uchar);
__lanecl_block_read(8b_16r16x4c, uchar);
__lanecl_block_read(8b_32r16x4c, uchar);
__lanecl_block_read(transform_8b_32r16x1c, uint);
__lanecl_block_read(transform_8b_32r16x2c, uint);
__lanecl_block_read(transform_8b_32r16x4c, uint);
__lanecl_block_read(transform_16b_16r16x1c, uint);
__lanecl_block_read(transform_16b_16r16x2c, uint);
__lanecl_block_read(transform_16b_32r16x1c, uint);
__lanecl_block_read(transform_16b_32r16x2c, uint);
__lanecl_block_read(transpose_32b_16r8x1c, uint);
__lanecl_block_read(transpose_32b_32r8x1c, uint);
__lanecl_block_few_rows(__lanecl_block_write, 8, 16x1c, uchar);
__lanecl_block_few_rows(__lanecl_block_write, 8, 32x1c, ushort);
__lanecl_block_few_rows(__lanecl_block_write, 16, 16x1c, ushort);
__lanecl_block_few_rows(__lanecl_block_write, 32, 16x1c, uint);
__lanecl_block_rows(__lanecl_block_prefetch, 8, 32x1c);
__lanecl_block_rows(__lanecl_block_prefetch, 8, 32x2c);
__lanecl_block_rows(__lanecl_block_prefetch, 16, 16x1c);
__lanecl_block_rows(__lanecl_block_prefetch, 16, 16x2c);
__lanecl_block_rows(__lanecl_block_prefetch, 32, 8x1c);
__lanecl_block_rows(__lanecl_block_prefetch, 32, 8x2c);
__lanecl_block_rows(__lanecl_block_prefetch, 32, 16x1c);
__lanecl_block_prefetch(8b_32r16x1c);
__lanecl_block_prefetch(8b_32r16x2c);
__lanecl_block_prefetch(8b_8r16x4c);
__lanecl_block_prefetch(8b_16r16x4c);
__lanecl_block_prefetch(8b_32r16x4c);
#undef __lanecl_block_rows
#undef __lanecl_block_few_rows
#undef __lanecl_block_prefetch
#undef __lanecl_block_write
#undef __lanecl_block_read
#undef __lanecl_block_2d
#endif

#ifdef cl_intel_sigmoid
#define __lanecl_sigmoid(T)                                                                                            \
  T __lanecl_ovld __attribute__((const)) intel_sigmoid(T);                                                             \
  T##2 __lanecl_ovld __attribute__((const)) intel_sigmoid(T##2);                                                       \
  T##3 __lanecl_ovld __attribute__((const)) intel_sigmoid(T##3);                                                       \
  T##4 __lanecl_ovld __attribute__((const)) intel_sigmoid(T##4);                                                       \
  T##8 __lanecl_ovld __attribute__((const)) intel_sigmoid(T##8);                                                       \
  T##16 __lanecl_ovld __attribute__((const)) intel_sigmoid(T##16);
__lanecl_sigmoid(float)
#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
__lanecl_sigmoid(half)
#pragma OPENCL EXTENSION cl_khr_fp16 : disable
#endif
#undef __lanecl_sigmoid
#endif

#undef __lanecl_ovld
#undef __lanecl_conv
#endif
