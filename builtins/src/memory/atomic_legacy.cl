// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Atomic functions of OpenCL C 1.x, atomic_* and atom_*. Their order is relaxed.
#include "types.h"

#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable

// x86 has no scopes, so the widest one, which these builtins use, costs nothing.
#define RELAXED __ATOMIC_RELAXED

// Defines an operation with an operand, which returns the value before the operation.
#define MODIFY(AS, T, name, builtin)                                                                                   \
  OVERLOADABLE T atomic_##name(volatile AS T *p, T value) { return builtin(p, value, RELAXED); }                       \
  OVERLOADABLE T atom_##name(volatile AS T *p, T value) { return builtin(p, value, RELAXED); }

// Defines an increment or a decrement.
#define STEP(AS, T, name, builtin)                                                                                     \
  OVERLOADABLE T atomic_##name(volatile AS T *p) { return builtin(p, (T)1, RELAXED); }                                 \
  OVERLOADABLE T atom_##name(volatile AS T *p) { return builtin(p, (T)1, RELAXED); }

#define COMPARE_EXCHANGE(AS, T)                                                                                        \
  OVERLOADABLE T atomic_cmpxchg(volatile AS T *p, T expected, T desired) {                                             \
    __atomic_compare_exchange_n(p, &expected, desired, false, RELAXED, RELAXED);                                       \
    return expected;                                                                                                   \
  }                                                                                                                    \
  OVERLOADABLE T atom_cmpxchg(volatile AS T *p, T expected, T desired) { return atomic_cmpxchg(p, expected, desired); }

#define ATOMICS(AS, T)                                                                                                 \
  MODIFY(AS, T, add, __atomic_fetch_add)                                                                               \
  MODIFY(AS, T, sub, __atomic_fetch_sub)                                                                               \
  MODIFY(AS, T, min, __atomic_fetch_min)                                                                               \
  MODIFY(AS, T, max, __atomic_fetch_max)                                                                               \
  MODIFY(AS, T, and, __atomic_fetch_and)                                                                               \
  MODIFY(AS, T, or, __atomic_fetch_or)                                                                                 \
  MODIFY(AS, T, xor, __atomic_fetch_xor)                                                                               \
  MODIFY(AS, T, xchg, __atomic_exchange_n)                                                                             \
  STEP(AS, T, inc, __atomic_fetch_add)                                                                                 \
  STEP(AS, T, dec, __atomic_fetch_sub)                                                                                 \
  COMPARE_EXCHANGE(AS, T)

#define ATOMICS_IN(AS)                                                                                                 \
  ATOMICS(AS, int)                                                                                                     \
  ATOMICS(AS, uint)                                                                                                    \
  ATOMICS(AS, long)                                                                                                    \
  ATOMICS(AS, ulong)                                                                                                   \
  OVERLOADABLE float atomic_xchg(volatile AS float *p, float value) {                                                  \
    return as_float(__atomic_exchange_n((volatile AS int *)p, as_int(value), RELAXED));                                \
  }
ATOMICS_IN(__global)
ATOMICS_IN(__local)
ATOMICS_IN(__generic)
