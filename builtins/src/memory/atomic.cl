// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Atomic functions of OpenCL C 2.0 and later. An order that is known after inlining folds to one instruction. Scopes
// are ignored, because x86 has only one.
#include "types.h"

#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable

// The scope that all operations have.
#define SCOPE memory_scope_all_svm_devices

// The three forms of a function: sequentially consistent, with an order, and with an order and a scope.
#define MODIFY(AS, T, V, name)                                                                                         \
  OVERLOADABLE T atomic_##name##_explicit(volatile AS atomic_##T *p, V value, memory_order order,                      \
                                          memory_scope scope) {                                                        \
    return __opencl_atomic_##name(p, value, order, SCOPE);                                                             \
  }                                                                                                                    \
  OVERLOADABLE T atomic_##name##_explicit(volatile AS atomic_##T *p, V value, memory_order order) {                    \
    return __opencl_atomic_##name(p, value, order, SCOPE);                                                             \
  }                                                                                                                    \
  OVERLOADABLE T atomic_##name(volatile AS atomic_##T *p, V value) {                                                   \
    return __opencl_atomic_##name(p, value, memory_order_seq_cst, SCOPE);                                              \
  }

// Loads and stores in the same three forms, and atomic_init, which is not atomic.
#define LOAD_STORE(AS, T)                                                                                              \
  OVERLOADABLE void atomic_init(volatile AS atomic_##T *p, T value) { __opencl_atomic_init(p, value); }                \
  OVERLOADABLE T atomic_load_explicit(volatile AS atomic_##T *p, memory_order order, memory_scope scope) {             \
    return __opencl_atomic_load(p, order, SCOPE);                                                                      \
  }                                                                                                                    \
  OVERLOADABLE T atomic_load_explicit(volatile AS atomic_##T *p, memory_order order) {                                 \
    return __opencl_atomic_load(p, order, SCOPE);                                                                      \
  }                                                                                                                    \
  OVERLOADABLE T atomic_load(volatile AS atomic_##T *p) {                                                              \
    return __opencl_atomic_load(p, memory_order_seq_cst, SCOPE);                                                       \
  }                                                                                                                    \
  OVERLOADABLE void atomic_store_explicit(volatile AS atomic_##T *p, T value, memory_order order,                      \
                                          memory_scope scope) {                                                        \
    __opencl_atomic_store(p, value, order, SCOPE);                                                                     \
  }                                                                                                                    \
  OVERLOADABLE void atomic_store_explicit(volatile AS atomic_##T *p, T value, memory_order order) {                    \
    __opencl_atomic_store(p, value, order, SCOPE);                                                                     \
  }                                                                                                                    \
  OVERLOADABLE void atomic_store(volatile AS atomic_##T *p, T value) {                                                 \
    __opencl_atomic_store(p, value, memory_order_seq_cst, SCOPE);                                                      \
  }

// A locked compare-and-exchange is always sequentially consistent, so the orders are ignored.
#define COMPARE_EXCHANGE_STRENGTH(AS, T, AE, strength)                                                                 \
  OVERLOADABLE bool atomic_compare_exchange_##strength(volatile AS atomic_##T *p, AE T *expected, T desired) {         \
    T seen = *expected;                                                                                                \
    bool same = __opencl_atomic_compare_exchange_strong(p, &seen, desired, memory_order_seq_cst, memory_order_seq_cst, \
                                                        SCOPE);                                                        \
    if (!same)                                                                                                         \
      *expected = seen;                                                                                                \
    return same;                                                                                                       \
  }                                                                                                                    \
  OVERLOADABLE bool atomic_compare_exchange_##strength##_explicit(volatile AS atomic_##T *p, AE T *expected,           \
                                                                  T desired, memory_order success,                     \
                                                                  memory_order failure) {                              \
    return atomic_compare_exchange_##strength(p, expected, desired);                                                   \
  }                                                                                                                    \
  OVERLOADABLE bool atomic_compare_exchange_##strength##_explicit(volatile AS atomic_##T *p, AE T *expected,           \
                                                                  T desired, memory_order success,                     \
                                                                  memory_order failure, memory_scope scope) {          \
    return atomic_compare_exchange_##strength(p, expected, desired);                                                   \
  }
#define COMPARE_EXCHANGE(AS, T, AE)                                                                                    \
  COMPARE_EXCHANGE_STRENGTH(AS, T, AE, strong) COMPARE_EXCHANGE_STRENGTH(AS, T, AE, weak)
// The expected value may be in any address space.
#define COMPARE_EXCHANGES(AS, T)                                                                                       \
  COMPARE_EXCHANGE(AS, T, __global)                                                                                    \
  COMPARE_EXCHANGE(AS, T, __local)                                                                                     \
  COMPARE_EXCHANGE(AS, T, __private)                                                                                   \
  COMPARE_EXCHANGE(AS, T, __generic)

#define ARITHMETIC(AS, T, V) MODIFY(AS, T, V, fetch_add) MODIFY(AS, T, V, fetch_sub)
#define ORDERED(AS, T, V) MODIFY(AS, T, V, fetch_min) MODIFY(AS, T, V, fetch_max)
#define BITWISE(AS, T, V) MODIFY(AS, T, V, fetch_and) MODIFY(AS, T, V, fetch_or) MODIFY(AS, T, V, fetch_xor)

#define ANY_TYPE(AS, T) LOAD_STORE(AS, T) MODIFY(AS, T, T, exchange) ARITHMETIC(AS, T, T) ORDERED(AS, T, T)
#define INTEGER(AS, T) ANY_TYPE(AS, T) BITWISE(AS, T, T) COMPARE_EXCHANGES(AS, T)

// The last two lines are for uintptr_t and intptr_t, whose operands the headers declare with the other sign.
#define ATOMICS_IN(AS)                                                                                                 \
  INTEGER(AS, int)                                                                                                     \
  INTEGER(AS, uint)                                                                                                    \
  INTEGER(AS, long)                                                                                                    \
  INTEGER(AS, ulong)                                                                                                   \
  ANY_TYPE(AS, half)                                                                                                   \
  ANY_TYPE(AS, float)                                                                                                  \
  ANY_TYPE(AS, double)                                                                                                 \
  COMPARE_EXCHANGES(AS, float)                                                                                         \
  COMPARE_EXCHANGES(AS, double)                                                                                        \
  ARITHMETIC(AS, ulong, long) ORDERED(AS, ulong, long) BITWISE(AS, ulong, long)                                         \
  ORDERED(AS, long, ulong) BITWISE(AS, long, ulong)
ATOMICS_IN(__global)
ATOMICS_IN(__local)
ATOMICS_IN(__generic)

// Defines the functions of atomic_flag, which is an int that is 0 or 1.
#define FLAG(AS)                                                                                                       \
  OVERLOADABLE bool atomic_flag_test_and_set_explicit(volatile AS atomic_flag *p, memory_order order,                  \
                                                      memory_scope scope) {                                            \
    return __opencl_atomic_exchange(p, 1, order, SCOPE) != 0;                                                          \
  }                                                                                                                    \
  OVERLOADABLE bool atomic_flag_test_and_set_explicit(volatile AS atomic_flag *p, memory_order order) {                \
    return __opencl_atomic_exchange(p, 1, order, SCOPE) != 0;                                                          \
  }                                                                                                                    \
  OVERLOADABLE bool atomic_flag_test_and_set(volatile AS atomic_flag *p) {                                             \
    return __opencl_atomic_exchange(p, 1, memory_order_seq_cst, SCOPE) != 0;                                           \
  }                                                                                                                    \
  OVERLOADABLE void atomic_flag_clear_explicit(volatile AS atomic_flag *p, memory_order order, memory_scope scope) {   \
    __opencl_atomic_store(p, 0, order, SCOPE);                                                                         \
  }                                                                                                                    \
  OVERLOADABLE void atomic_flag_clear_explicit(volatile AS atomic_flag *p, memory_order order) {                       \
    __opencl_atomic_store(p, 0, order, SCOPE);                                                                         \
  }                                                                                                                    \
  OVERLOADABLE void atomic_flag_clear(volatile AS atomic_flag *p) {                                                    \
    __opencl_atomic_store(p, 0, memory_order_seq_cst, SCOPE);                                                          \
  }
FLAG(__global)
FLAG(__local)
FLAG(__generic)
