// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// vloadn and vstoren: vectors with the alignment of their elements.
#include "types.h"

// A vector is one access. Vectors of three are three accesses, because a fourth element might be out of bounds.
#define ACCESS(AS, T, n)                                                                                               \
  OVERLOADABLE T##n vload##n(size_t offset, const AS T *p) { return ((const AS T##n##_in_memory *)p)[offset]; }        \
  OVERLOADABLE void vstore##n(T##n data, size_t offset, AS T *p) { ((AS T##n##_in_memory *)p)[offset] = data; }
#define READ(AS, T, n)                                                                                                 \
  OVERLOADABLE T##n vload##n(size_t offset, const AS T *p) { return ((const AS T##n##_in_memory *)p)[offset]; }
// Vectors of three are three elements apart.
#define READ3(AS, T)                                                                                                   \
  OVERLOADABLE T##3 vload3(size_t offset, const AS T *p) {                                                             \
    return (T##3)(p[3 * offset], p[3 * offset + 1], p[3 * offset + 2]);                                                \
  }
#define ACCESS3(AS, T)                                                                                                 \
  READ3(AS, T)                                                                                                         \
  OVERLOADABLE void vstore3(T##3 data, size_t offset, AS T *p) {                                                       \
    p[3 * offset] = data.x;                                                                                            \
    p[3 * offset + 1] = data.y;                                                                                        \
    p[3 * offset + 2] = data.z;                                                                                        \
  }

#define IN_MEMORY(T, n) typedef T##n T##n##_in_memory __attribute__((aligned(sizeof(T))));
#define SPACE(AS, T) ACCESS(AS, T, 2) ACCESS3(AS, T) ACCESS(AS, T, 4) ACCESS(AS, T, 8) ACCESS(AS, T, 16)
#define TYPE(T)                                                                                                        \
  IN_MEMORY(T, 2)                                                                                                      \
  IN_MEMORY(T, 4) IN_MEMORY(T, 8) IN_MEMORY(T, 16)                                                                     \
  SPACE(__private, T) SPACE(__global, T) SPACE(__local, T) SPACE(__generic, T)                                         \
  READ(__constant, T, 2)                                                                                               \
  READ3(__constant, T) READ(__constant, T, 4) READ(__constant, T, 8) READ(__constant, T, 16)
FOR_SCALARS(TYPE)
