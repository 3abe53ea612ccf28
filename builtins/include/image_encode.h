// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Converts colors to the words of an element, the inverse of image_decode.h.
#pragma once

#include "image_decode.h"

// Reorders red, green, blue and alpha to the order of memory. Components of missing channels are arbitrary.
#define DEFINE_SWIZZLE(T)                                                                                              \
  INLINE OVERLOADABLE T##4 toChannels(Image image, T##4 c) {                                                           \
    switch (image->format.channel_order) {                                                                             \
    case CLK_A: return c.wwww;                                                                                         \
    case CLK_RA: return c.xwww;                                                                                        \
    case CLK_BGRA: return c.zyxw;                                                                                      \
    case CLK_ARGB: return c.wxyz;                                                                                      \
    case CLK_ABGR: return c.wzyx;                                                                                      \
    default: return c;                                                                                                 \
    }                                                                                                                  \
  }
DEFINE_SWIZZLE(float)
DEFINE_SWIZZLE(uint)
#undef DEFINE_SWIZZLE

// Packs channels into words. Channels that the element does not have lie past its size, and are not stored.
INLINE uint4 pack(Image image, uint4 c) {
  switch (image->format.layout) {
  case ImageLayoutBytes: return (uint4)((c.x & 0xff) | (c.y & 0xff) << 8 | (c.z & 0xff) << 16 | c.w << 24, 0, 0, 0);
  case ImageLayoutShorts: return (uint4)((c.x & 0xffff) | c.y << 16, (c.z & 0xffff) | c.w << 16, 0, 0);
  case ImageLayout565: return (uint4)(c.x << 11 | c.y << 5 | c.z, 0, 0, 0);
  case ImageLayout555: return (uint4)(c.x << 10 | c.y << 5 | c.z, 0, 0, 0);
  case ImageLayout101010: return (uint4)(c.x << 20 | c.y << 10 | c.z, 0, 0, 0);
  case ImageLayout1010102: return (uint4)(c.x << 22 | c.y << 12 | c.z << 2 | c.w, 0, 0, 0);
  default: return c;
  }
}

// Returns convert_T_sat_rte(value * highest), with `lowest` for a NaN, which fails the first comparison.
INLINE int4 normalize(float4 value, float4 lowest, float4 highest) {
  value *= highest;
  value = value > lowest ? value : lowest;
  value = value < highest ? value : highest;
  return convert_int4(rint(value));
}

// Converts the numbers that write_imagef takes to channels.
INLINE uint4 convertFromFloat(Image image, float4 c) {
  float4 limit = limitsOf(image);
  switch (image->format.conversion) {
  case ImageConversionUnorm: return as_uint4(normalize(c, (float4)(0), limit));
  case ImageConversionSnorm: return as_uint4(normalize(c, -limit - 1.0f, limit));
  case ImageConversionHalf: return convert_uint4(as_ushort4(narrow(c)));
  default: return as_uint4(c);
  }
}

INLINE void writeFloat(Image image, Texel at, float4 color) {
  storeWords(image, at, pack(image, convertFromFloat(image, toChannels(image, color))));
}

// Saturates integers to the size of the channels. As for reads, the image's own type decides whether they are signed.
INLINE uint4 saturate(Image image, uint4 c) {
  switch (integersOf(image)) {
  case INTEGERS(ImageLayoutBytes, false): return min(c, 0xffu);
  case INTEGERS(ImageLayoutBytes, true): return as_uint4(clamp(as_int4(c), -128, 127));
  case INTEGERS(ImageLayoutShorts, false): return min(c, 0xffffu);
  case INTEGERS(ImageLayoutShorts, true): return as_uint4(clamp(as_int4(c), -32768, 32767));
  default: return c;
  }
}

// Writes an element for write_imagei and write_imageui.
INLINE void writeInteger(Image image, Texel at, uint4 color) {
  storeWords(image, at, pack(image, saturate(image, toChannels(image, color))));
}
