// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Atomic functions of 16 bits, which SPIR-V has (SPV_INTEL_16bit_atomics) and OpenCL C does not. They return the value
// before the operation. They are sequentially consistent: on x86 this costs something only for
// stores, which become locked exchanges.
#include "types.h"

#define ORDER __ATOMIC_SEQ_CST

#define MODIFY(AS, T, name, builtin)                                                                                   \
  OVERLOADABLE T __lanecl_atomic_##name(volatile AS T *p, T value) { return builtin(p, value, ORDER); }

#define ATOMICS_IN(AS)                                                                                                 \
  OVERLOADABLE short __lanecl_atomic_load(volatile AS short *p) { return __atomic_load_n(p, ORDER); }                  \
  OVERLOADABLE void __lanecl_atomic_store(volatile AS short *p, short value) { __atomic_store_n(p, value, ORDER); }    \
  OVERLOADABLE short __lanecl_atomic_compare_exchange(volatile AS short *p, short expected, short desired) {           \
    __atomic_compare_exchange_n(p, &expected, desired, false, ORDER, ORDER);                                           \
    return expected;                                                                                                   \
  }                                                                                                                    \
  OVERLOADABLE short __lanecl_atomic_increment(volatile AS short *p) {                                                 \
    return __atomic_fetch_add(p, (short)1, ORDER);                                                                     \
  }                                                                                                                    \
  OVERLOADABLE short __lanecl_atomic_decrement(volatile AS short *p) {                                                 \
    return __atomic_fetch_sub(p, (short)1, ORDER);                                                                     \
  }                                                                                                                    \
  MODIFY(AS, short, exchange, __atomic_exchange_n)                                                                     \
  MODIFY(AS, short, add, __atomic_fetch_add)                                                                           \
  MODIFY(AS, short, sub, __atomic_fetch_sub)                                                                           \
  MODIFY(AS, short, and, __atomic_fetch_and)                                                                           \
  MODIFY(AS, short, or, __atomic_fetch_or)                                                                             \
  MODIFY(AS, short, xor, __atomic_fetch_xor)                                                                           \
  MODIFY(AS, short, min, __atomic_fetch_min)                                                                           \
  MODIFY(AS, short, max, __atomic_fetch_max)                                                                           \
  MODIFY(AS, ushort, min, __atomic_fetch_min)                                                                          \
  MODIFY(AS, ushort, max, __atomic_fetch_max)
ATOMICS_IN(__global)
ATOMICS_IN(__local)
ATOMICS_IN(__generic)
