// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Reductions and scans over the active lanes, with the names of all extensions.
#include "lane_primitives.h"

// Defines a reduction and both scans. `op` is the name in OpenCL C, and `primitive` that of the lane primitive.
#define REDUCTION(prefix, T, op, primitive)                                                                            \
  OVERLOADABLE T prefix##_reduce_##op(T value) { return __lanecl_reduce_##primitive(value); }                          \
  OVERLOADABLE T prefix##_scan_inclusive_##op(T value) { return __lanecl_scan_inclusive_##primitive(value); }          \
  OVERLOADABLE T prefix##_scan_exclusive_##op(T value) { return __lanecl_scan_exclusive_##primitive(value); }

// The three spellings compute the same: inactive lanes never take part.
#define UNIFORM_AND_NOT(T, op, primitive)                                                                              \
  REDUCTION(sub_group, T, op, primitive)                                                                               \
  REDUCTION(sub_group_non_uniform, T, op, primitive)                                                                   \
  REDUCTION(intel_sub_group, T, op, primitive)

#define ADD_MUL(T) UNIFORM_AND_NOT(T, add, add) UNIFORM_AND_NOT(T, mul, mul)
#define SIGNED(T) UNIFORM_AND_NOT(T, min, smin) UNIFORM_AND_NOT(T, max, smax)
#define UNSIGNED(T) UNIFORM_AND_NOT(T, min, umin) UNIFORM_AND_NOT(T, max, umax)
#define FLOAT(T) UNIFORM_AND_NOT(T, min, fmin) UNIFORM_AND_NOT(T, max, fmax)
#define BITWISE(T) UNIFORM_AND_NOT(T, and, and) UNIFORM_AND_NOT(T, or, or) UNIFORM_AND_NOT(T, xor, xor)
FOR_SCALARS(ADD_MUL)
FOR_SIGNED(SIGNED)
FOR_UNSIGNED(UNSIGNED)
FOR_FLOATS(FLOAT)
FOR_INTEGERS(BITWISE)

// Truth values are -1 and 0 here, because exclusive scans of the bitwise primitives start with 0 or -1.
#define LOGICAL(op)                                                                                                    \
  OVERLOADABLE int sub_group_non_uniform_reduce_logical_##op(int value) {                                              \
    return __lanecl_reduce_##op(-(int)(value != 0)) != 0;                                                              \
  }                                                                                                                    \
  OVERLOADABLE int sub_group_non_uniform_scan_inclusive_logical_##op(int value) {                                      \
    return __lanecl_scan_inclusive_##op(-(int)(value != 0)) != 0;                                                      \
  }                                                                                                                    \
  OVERLOADABLE int sub_group_non_uniform_scan_exclusive_logical_##op(int value) {                                      \
    return __lanecl_scan_exclusive_##op(-(int)(value != 0)) != 0;                                                      \
  }                                                                                                                    \
  OVERLOADABLE bool sub_group_reduce_logical_##op(bool value) { /* these three for SPIR-V */                           \
    return sub_group_non_uniform_reduce_logical_##op((int)value) != 0;                                                 \
  }                                                                                                                    \
  OVERLOADABLE bool sub_group_scan_inclusive_logical_##op(bool value) {                                                \
    return sub_group_non_uniform_scan_inclusive_logical_##op((int)value) != 0;                                         \
  }                                                                                                                    \
  OVERLOADABLE bool sub_group_scan_exclusive_logical_##op(bool value) {                                                \
    return sub_group_non_uniform_scan_exclusive_logical_##op((int)value) != 0;                                         \
  }
LOGICAL(and)
LOGICAL(or)
LOGICAL(xor)
