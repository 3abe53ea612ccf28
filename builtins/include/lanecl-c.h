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

#undef __lanecl_ovld
#undef __lanecl_conv
#endif
