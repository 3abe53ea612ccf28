// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Finds the elements for coordinates: the addressing modes and the two filters of samplers (OpenCL C, "Image Addressing
// and Filtering").
#pragma once

#include "image.h"

#define ADDRESS_MODES (CLK_ADDRESS_CLAMP_TO_EDGE | CLK_ADDRESS_CLAMP | CLK_ADDRESS_REPEAT | CLK_ADDRESS_MIRRORED_REPEAT)

// The two elements next to a coordinate on one axis, and the weight of the second one.
typedef struct {
  int low, high;
  float fraction;
} Axis;
// The elements next to a position on all axes.
typedef struct {
  Axis x, y, z;
} Spot;

// The coordinates that an image has. The first `filtered` of them are filtered. `layer` is the coordinate that selects
// an image of an array: 1 for y, 2 for z, 0 for none. Both are compile-time constants.
#define SHAPE_PARAMETERS int filtered, int layer
#define SHAPE filtered, layer

// Limits x to [low, high]. A NaN fails the first comparison and becomes `low`, so that the conversion to int that
// follows is defined.
INLINE float confine(float x, float low, float high) {
  x = x > low ? x : low;
  return x < high ? x : high;
}

// Returns the coordinate in elements. REPEAT and MIRRORED_REPEAT are only defined for normalized coordinates.
INLINE float unnormalize(float s, float size, uint sampler) {
  switch (sampler & ADDRESS_MODES) {
  case CLK_ADDRESS_REPEAT: return (s - floor(s)) * size;
  case CLK_ADDRESS_MIRRORED_REPEAT: return fabs(s - 2.0f * rint(0.5f * s)) * size;
  default: return (sampler & CLK_NORMALIZED_COORDS_TRUE) != 0 ? s * size : s;
  }
}

// Applies the addressing mode to the number of an element. With CLAMP and NONE the element may stay outside the image,
// in the border.
INLINE int wrap(int i, int size, uint sampler) {
  switch (sampler & ADDRESS_MODES) {
  case CLK_ADDRESS_REPEAT: i = i < 0 ? i + size : i; return i >= size ? i - size : i;
  case CLK_ADDRESS_CLAMP_TO_EDGE:
  case CLK_ADDRESS_MIRRORED_REPEAT: return clamp(i, 0, size - 1);
  default: return i;
  }
}

// Finds the elements next to a coordinate. The coordinate is limited to a little more than the image, so that it fits
// an int.
INLINE Axis locate(float s, int size, uint sampler) {
  float u = unnormalize(s, (float)size, sampler);
  u = confine((sampler & CLK_FILTER_LINEAR) != 0 ? u - 0.5f : u, -2.0f, (float)size + 2.0f);
  float base = floor(u);
  int low = (int)base;
  return (Axis){wrap(low, size, sampler), wrap(low + 1, size, sampler), u - base};
}

// Finds the image of an array. Its index is rounded, and limited to the array.
INLINE Axis locateLayer(float s, int size) {
  int i = (int)confine(rint(s), 0.0f, (float)(size - 1));
  return (Axis){i, i, 0.0f};
}

// Finds the elements for all coordinates of an image.
INLINE Spot locateAll(Image image, uint sampler, float x, float y, float z, SHAPE_PARAMETERS) {
  Spot spot = {{0, 0, 0.0f}, {0, 0, 0.0f}, {0, 0, 0.0f}};
  spot.x = locate(x, image->extent[0], sampler);
  if (filtered > 1)
    spot.y = locate(y, image->extent[1], sampler);
  if (filtered > 2)
    spot.z = locate(z, image->extent[2], sampler);
  if (layer == 1)
    spot.y = locateLayer(y, image->extent[1]);
  if (layer == 2)
    spot.z = locateLayer(z, image->extent[2]);
  return spot;
}

INLINE Texel nearest(Spot spot) {
  return (Texel){spot.x.low, spot.y.low, spot.z.low};
}

// Applies the addressing mode to integer coordinates, which are never normalized. The index of an array's image is
// clamped.
INLINE Texel addressed(Image image, uint sampler, Texel at, SHAPE_PARAMETERS) {
  at.x = wrap(at.x, image->extent[0], sampler);
  if (filtered > 1)
    at.y = wrap(at.y, image->extent[1], sampler);
  if (filtered > 2)
    at.z = wrap(at.z, image->extent[2], sampler);
  if (layer == 1)
    at.y = clamp(at.y, 0, image->extent[1] - 1);
  if (layer == 2)
    at.z = clamp(at.z, 0, image->extent[2] - 1);
  return at;
}
