// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// vload_half, vstore_half and their aligned forms: numbers that are half in memory, and float or double in the program.
#include "half_types.h"

// vload_halfn and vstore_halfn need the alignment of one half, and vectors of three are three elements apart. The
// aligned forms, vloada and vstorea, need the alignment of the vector, and vectors of three are four elements apart. In
// private memory the aligned forms only need the alignment of one half, because programs use them with arrays of
// shorts. Generic pointers may point to private memory.
#define IN_MEMORY(n) typedef half##n half##n##_in_memory __attribute__((aligned(2)));
IN_MEMORY()
IN_MEMORY(2)
IN_MEMORY(4)
IN_MEMORY(8)
IN_MEMORY(16)

// The type through which the aligned forms access each address space.
#define ALIGNED_IN___private(n) half##n##_in_memory
#define ALIGNED_IN___generic(n) half##n##_in_memory
#define ALIGNED_IN___global(n) half##n
#define ALIGNED_IN___local(n) half##n
#define ALIGNED_IN___constant(n) half##n

// Define the loads of n components.
#define LOAD(AS, n)                                                                                                    \
  OVERLOADABLE float##n vload_half##n(size_t offset, const AS half *p) {                                               \
    return widen(((const AS half##n##_in_memory *)p)[offset]);                                                         \
  }
#define LOAD_ALIGNED(AS, n)                                                                                            \
  OVERLOADABLE float##n vloada_half##n(size_t offset, const AS half *p) {                                              \
    return widen(((const AS ALIGNED_IN_##AS(n) *)p)[offset]);                                                          \
  }
#define LOADS(AS)                                                                                                      \
  LOAD(AS, )                                                                                                           \
  LOAD(AS, 2)                                                                                                          \
  LOAD(AS, 4)                                                                                                          \
  LOAD(AS, 8)                                                                                                          \
  LOAD(AS, 16)                                                                                                         \
  OVERLOADABLE float3 vload_half3(size_t offset, const AS half *p) {                                                   \
    return widen((half3)(p[3 * offset], p[3 * offset + 1], p[3 * offset + 2]));                                        \
  }                                                                                                                    \
  LOAD_ALIGNED(AS, )                                                                                                   \
  LOAD_ALIGNED(AS, 2)                                                                                                  \
  LOAD_ALIGNED(AS, 4)                                                                                                  \
  LOAD_ALIGNED(AS, 8)                                                                                                  \
  LOAD_ALIGNED(AS, 16)                                                                                                 \
  OVERLOADABLE float3 vloada_half3(size_t offset, const AS half *p) {                                                  \
    return widen((half3)(p[4 * offset], p[4 * offset + 1], p[4 * offset + 2]));                                        \
  }
LOADS(__private)
LOADS(__global)
LOADS(__local)
LOADS(__generic)
LOADS(__constant)

// Defines the stores of n components for one rounding mode.
#define STORE(AS, T, n, rounding)                                                                                      \
  OVERLOADABLE void vstore_half##n##rounding(T##n data, size_t offset, AS half *p) {                                   \
    ((AS half##n##_in_memory *)p)[offset] = convert_half##n##rounding(data);                                           \
  }                                                                                                                    \
  OVERLOADABLE void vstorea_half##n##rounding(T##n data, size_t offset, AS half *p) {                                  \
    ((AS ALIGNED_IN_##AS(n) *)p)[offset] = convert_half##n##rounding(data);                                            \
  }
// `distance` is the number of elements between two vectors of three: 3, or 4 in the aligned form.
#define STORE3(AS, T, name, distance, rounding)                                                                        \
  OVERLOADABLE void name##_half3##rounding(T##3 data, size_t offset, AS half *p) {                                     \
    half3 rounded = convert_half3##rounding(data);                                                                     \
    p[distance * offset] = rounded.x;                                                                                  \
    p[distance * offset + 1] = rounded.y;                                                                              \
    p[distance * offset + 2] = rounded.z;                                                                              \
  }
#define STORES(AS, T, rounding)                                                                                        \
  STORE(AS, T, , rounding)                                                                                             \
  STORE(AS, T, 2, rounding)                                                                                            \
  STORE(AS, T, 4, rounding)                                                                                            \
  STORE(AS, T, 8, rounding)                                                                                            \
  STORE(AS, T, 16, rounding) STORE3(AS, T, vstore, 3, rounding) STORE3(AS, T, vstorea, 4, rounding)
#define STORES_OF(AS, T)                                                                                               \
  STORES(AS, T, ) STORES(AS, T, _rte) STORES(AS, T, _rtz) STORES(AS, T, _rtp) STORES(AS, T, _rtn)
#define STORES_TO(AS) STORES_OF(AS, float) STORES_OF(AS, double)
STORES_TO(__private)
STORES_TO(__global)
STORES_TO(__local)
STORES_TO(__generic)
