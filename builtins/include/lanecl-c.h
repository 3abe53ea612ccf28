// Declarations of extensions that Clang's opencl-c.h lacks. Included after it, in front of every program.
#ifndef LANECL_C_H
#define LANECL_C_H

#define __lanecl_ovld __attribute__((overloadable))
#define __lanecl_conv __attribute__((convergent))

#ifdef cl_intel_split_work_group_barrier
void __lanecl_ovld __lanecl_conv intel_work_group_barrier_arrive(cl_mem_fence_flags flags);
void __lanecl_ovld __lanecl_conv intel_work_group_barrier_wait(cl_mem_fence_flags flags);
#if defined(__OPENCL_C_VERSION__) && __OPENCL_C_VERSION__ >= 200
void __lanecl_ovld __lanecl_conv intel_work_group_barrier_arrive(cl_mem_fence_flags flags, memory_scope scope);
void __lanecl_ovld __lanecl_conv intel_work_group_barrier_wait(cl_mem_fence_flags flags, memory_scope scope);
#endif
#endif

// Image block functions: opencl-c.h declares them for OpenCL C 3.0 only, and the writes called _ui for images that are
// only read.
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

#undef __lanecl_ovld
#undef __lanecl_conv
#endif
