// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Images in the built-in functions: the descriptor that an image handle refers to (vectorizer/contract/image.h), and
// elements as up to four 32-bit words.
#pragma once

#include "lane_primitives.h"

#include "vectorizer/contract/image.h"

#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable

#define INLINE static inline __attribute__((always_inline))

typedef const __constant struct ImageDescriptor *Image;

// Expands M(access type) for every image type.
#define FOR_IMAGES(M, access)                                                                                          \
  M(access image1d_t)                                                                                                  \
  M(access image1d_buffer_t)                                                                                           \
  M(access image1d_array_t)                                                                                            \
  M(access image2d_t)                                                                                                  \
  M(access image2d_array_t) M(access image2d_depth_t) M(access image2d_array_depth_t) M(access image3d_t)

// Conversions of handles, which the vectorizer lowers: an image to its descriptor, a sampler to its bits.
#define DECLARE(T) PURE Image __lanecl_image(T image);
FOR_IMAGES(DECLARE, read_only)
FOR_IMAGES(DECLARE, write_only)
FOR_IMAGES(DECLARE, read_write)
#undef DECLARE
PURE uint __lanecl_sampler(sampler_t sampler);

// The position of an element in an image. Coordinates that the image does not have are 0.
typedef struct {
  int x, y, z;
} Texel;

// Whether the image has this element. Negative coordinates become large unsigned ones.
INLINE bool isInside(Image image, Texel at) {
  const bool x = (uint)at.x < (uint)image->extent[0], y = (uint)at.y < (uint)image->extent[1];
  return x & y & ((uint)at.z < (uint)image->extent[2]);
}

// Returns the address of the row's first element.
INLINE __global uchar *rowOf(Image image, Texel at) {
  return image->data + (ulong)(uint)at.y * image->y_pitch + (ulong)(uint)at.z * image->z_pitch;
}

// Elements may have any address, because the application's memory need not be aligned.
typedef ushort ushort_anywhere __attribute__((aligned(1)));
typedef uint uint_anywhere __attribute__((aligned(1)));
typedef uint2 uint2_anywhere __attribute__((aligned(1)));
typedef uint4 uint4_anywhere __attribute__((aligned(1)));

// Returns the words of an element, or zeros for a position outside the image. The size of elements is uniform, so the
// switch is a branch that all lanes take together.
INLINE uint4 loadWords(Image image, Texel at) {
  if (!isInside(image, at))
    return (uint4)(0);
  const __global uchar *row = rowOf(image, at);
  switch (image->format.element_log2) {
  case 0: return (uint4)(row[at.x], 0, 0, 0);
  case 1: return (uint4)(((const __global ushort_anywhere *)row)[at.x], 0, 0, 0);
  case 2: return (uint4)(((const __global uint_anywhere *)row)[at.x], 0, 0, 0);
  case 3: return (uint4)(((const __global uint2_anywhere *)row)[at.x], 0, 0);
  default: return ((const __global uint4_anywhere *)row)[at.x];
  }
}

// Stores the words of an element. Writes outside the image are dropped.
INLINE void storeWords(Image image, Texel at, uint4 words) {
  if (!isInside(image, at))
    return;
  __global uchar *row = rowOf(image, at);
  switch (image->format.element_log2) {
  case 0: row[at.x] = (uchar)words.x; break;
  case 1: ((__global ushort_anywhere *)row)[at.x] = (ushort)words.x; break;
  case 2: ((__global uint_anywhere *)row)[at.x] = words.x; break;
  case 3: ((__global uint2_anywhere *)row)[at.x] = words.xy; break;
  default: ((__global uint4_anywhere *)row)[at.x] = words; break;
  }
}
