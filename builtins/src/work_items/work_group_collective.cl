// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Work-group functions. Each sub-group reduces its values in registers and stores one value in local memory.
#include "lane_primitives.h"

// Local memory with one 64-bit value for each sub-group of the largest work-group. The library's linker defines it
// (builtins/linker/library.cpp), because OpenCL C has no local variables outside kernels.
OVERLOADABLE __local ulong *__lanecl_collective_scratch(void);

static void wait(void) { __lanecl_work_group_barrier(CLK_LOCAL_MEM_FENCE); }

// The first barrier waits until every sub-group has read the values of the previous work-group function.
#define COLLECTIVE(T, op, combine, sub_group_op, identity)                                                             \
  static OVERLOADABLE void share_##op(__local T *scratch, T value) {                                                   \
    wait();                                                                                                            \
    scratch[__lanecl_sub_group_id()] = sub_group_non_uniform_reduce_##sub_group_op(value);                             \
    wait();                                                                                                            \
  }                                                                                                                    \
  static OVERLOADABLE T prefix_##op(const __local T *scratch, uint sub_groups) {                                       \
    T result = identity;                                                                                               \
    for (uint i = 0; i < sub_groups; ++i)                                                                              \
      result = combine(result, scratch[i]);                                                                            \
    return result;                                                                                                     \
  }                                                                                                                    \
  OVERLOADABLE T work_group_reduce_##op(T value) {                                                                     \
    __local T *scratch = (__local T *)__lanecl_collective_scratch();                                                   \
    share_##op(scratch, value);                                                                                        \
    return prefix_##op(scratch, __lanecl_num_sub_groups());                                                            \
  }                                                                                                                    \
  OVERLOADABLE T work_group_scan_inclusive_##op(T value) {                                                             \
    __local T *scratch = (__local T *)__lanecl_collective_scratch();                                                   \
    share_##op(scratch, value);                                                                                        \
    return combine(prefix_##op(scratch, __lanecl_sub_group_id()),                                                      \
                   sub_group_non_uniform_scan_inclusive_##sub_group_op(value));                                        \
  }                                                                                                                    \
  OVERLOADABLE T work_group_scan_exclusive_##op(T value) {                                                             \
    __local T *scratch = (__local T *)__lanecl_collective_scratch();                                                   \
    share_##op(scratch, value);                                                                                        \
    return combine(prefix_##op(scratch, __lanecl_sub_group_id()),                                                      \
                   sub_group_non_uniform_scan_exclusive_##sub_group_op(value));                                        \
  }

// How COLLECTIVE combines two values.
#define SUM(a, b) ((a) + (b))
#define PRODUCT(a, b) ((a) * (b))
#define AND(a, b) ((a) & (b))
#define OR(a, b) ((a) | (b))
#define XOR(a, b) ((a) ^ (b))
#define ADD_MUL(T) COLLECTIVE(T, add, SUM, add, 0) COLLECTIVE(T, mul, PRODUCT, mul, 1)
#define BITWISE(T) COLLECTIVE(T, and, AND, and, (T) - 1) COLLECTIVE(T, or, OR, or, 0) COLLECTIVE(T, xor, XOR, xor, 0)
#define INTEGER(T, lowest, highest)                                                                                    \
  ADD_MUL(T) BITWISE(T) COLLECTIVE(T, min, min, min, highest) COLLECTIVE(T, max, max, max, lowest)
#define FLOAT(T) ADD_MUL(T) COLLECTIVE(T, min, fmin, min, INFINITY) COLLECTIVE(T, max, fmax, max, -INFINITY)
// SPIR-V has these functions for the narrow types, too. For OpenCL C an extension adds all operations but sums and
// extremes.
INTEGER(char, CHAR_MIN, CHAR_MAX)
INTEGER(uchar, 0, UCHAR_MAX)
INTEGER(short, SHRT_MIN, SHRT_MAX)
INTEGER(ushort, 0, USHRT_MAX)
INTEGER(int, INT_MIN, INT_MAX)
INTEGER(uint, 0, UINT_MAX)
INTEGER(long, LONG_MIN, LONG_MAX)
INTEGER(ulong, 0, ULONG_MAX)
FLOAT(half)
FLOAT(float)
FLOAT(double)

// Logical operations: on truth values for SPIR-V, and on numbers for OpenCL C. Truth values are -1 and 0 here, because
// exclusive scans of the bitwise operations start with 0 or -1.
#define LOGICAL(op)                                                                                                    \
  OVERLOADABLE bool work_group_reduce_logical_##op(bool value) {                                                       \
    return work_group_reduce_##op(-(int)value) != 0;                                                                   \
  }                                                                                                                    \
  OVERLOADABLE bool work_group_scan_inclusive_logical_##op(bool value) {                                               \
    return work_group_scan_inclusive_##op(-(int)value) != 0;                                                           \
  }                                                                                                                    \
  OVERLOADABLE bool work_group_scan_exclusive_logical_##op(bool value) {                                               \
    return work_group_scan_exclusive_##op(-(int)value) != 0;                                                           \
  }                                                                                                                    \
  OVERLOADABLE int work_group_reduce_logical_##op(int predicate) {                                                     \
    return work_group_reduce_logical_##op((bool)predicate);                                                            \
  }                                                                                                                    \
  OVERLOADABLE int work_group_scan_inclusive_logical_##op(int predicate) {                                             \
    return work_group_scan_inclusive_logical_##op((bool)predicate);                                                    \
  }                                                                                                                    \
  OVERLOADABLE int work_group_scan_exclusive_logical_##op(int predicate) {                                             \
    return work_group_scan_exclusive_logical_##op((bool)predicate);                                                    \
  }
LOGICAL(and)
LOGICAL(or)
LOGICAL(xor)

OVERLOADABLE int work_group_all(int predicate) {
  return work_group_reduce_min((int)(predicate != 0));
}
OVERLOADABLE int work_group_any(int predicate) {
  return work_group_reduce_max((int)(predicate != 0));
}

// One work-item stores the value, and all read it.
#define BROADCAST(T)                                                                                                   \
  OVERLOADABLE T work_group_broadcast(T value, size_t x, size_t y, size_t z) {                                         \
    __local T *scratch = (__local T *)__lanecl_collective_scratch();                                                   \
    wait();                                                                                                            \
    if (__lanecl_local_id(0) == x && __lanecl_local_id(1) == y && __lanecl_local_id(2) == z)                           \
      *scratch = value;                                                                                                \
    wait();                                                                                                            \
    return *scratch;                                                                                                   \
  }                                                                                                                    \
  OVERLOADABLE T work_group_broadcast(T value, size_t x, size_t y) {                                                   \
    return work_group_broadcast(value, x, y, 0);                                                                       \
  }                                                                                                                    \
  OVERLOADABLE T work_group_broadcast(T value, size_t x) {                                                             \
    return work_group_broadcast(value, x, 0, 0);                                                                       \
  }
FOR_SCALARS(BROADCAST)
