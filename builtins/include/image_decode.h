// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Converts the words of an element to colors. Every switch is on the image's format, which is uniform.
#pragma once

#include "half_types.h"
#include "image.h"
#include "image_yuv.h"

// Returns the channels in the order of memory, each in the low bits of its component.
INLINE uint4 unpack(Image image, uint4 words) {
  switch (image->format.layout) {
  case ImageLayoutBytes: return words.xxxx >> (uint4)(0, 8, 16, 24) & 0xffu;
  case ImageLayoutShorts: return (words.xxyy >> (uint4)(0, 16, 0, 16)) & 0xffffu;
  case ImageLayout565: return words.xxxx >> (uint4)(11, 5, 0, 0) & (uint4)(0x1f, 0x3f, 0x1f, 0);
  case ImageLayout555: return words.xxxx >> (uint4)(10, 5, 0, 0) & (uint4)(0x1f, 0x1f, 0x1f, 0);
  case ImageLayout101010: return words.xxxx >> (uint4)(20, 10, 0, 0) & (uint4)(0x3ff, 0x3ff, 0x3ff, 0);
  case ImageLayout1010102: return words.xxxx >> (uint4)(22, 12, 2, 0) & (uint4)(0x3ff, 0x3ff, 0x3ff, 3);
  default: return words;
  }
}

// Extends the sign of channels that are signed.
INLINE int4 extendSign(Image image, uint4 channels) {
  return as_int4(channels << image->format.sign_shift) >> image->format.sign_shift;
}

INLINE float4 limitsOf(Image image) {
  return (float4)(image->format.limit[0], image->format.limit[1], image->format.limit[2], image->format.limit[3]);
}
INLINE float4 scalesOf(Image image) {
  return (float4)(image->format.scale[0], image->format.scale[1], image->format.scale[2], image->format.scale[3]);
}

// Converts channels to the numbers that read_imagef returns.
INLINE float4 convertToFloat(Image image, uint4 channels) {
  switch (image->format.conversion) {
  case ImageConversionUnorm: return convert_float4(as_int4(channels)) * scalesOf(image);
  case ImageConversionSnorm: {
    // The two lowest numbers both mean -1.
    float4 value = convert_float4(extendSign(image, channels)) * scalesOf(image);
    return value < -1.0f ? -1.0f : value;
  }
  case ImageConversionSrgb: {
    const __global float *linear = image->linear_of_srgb;
    const int4 byte = as_int4(channels);
    return (float4)(linear[byte.x], linear[byte.y], linear[byte.z], (float)byte.w * image->format.scale[3]);
  }
  case ImageConversionHalf: return widen(as_half4(convert_ushort4(channels)));
  default: return as_float4(channels);
  }
}

// Reorders channels from the order of memory to red, green, blue and alpha. `one` is the value of a missing alpha.
#define DEFINE_SWIZZLE(T)                                                                                              \
  INLINE OVERLOADABLE T##4 toColor(Image image, T##4 c, T one) {                                                       \
    switch (image->format.channel_order) {                                                                             \
    case CLK_A: return (T##4)(0, 0, 0, c.x);                                                                           \
    case CLK_RG: return (T##4)(c.xy, 0, one);                                                                          \
    case CLK_RA: return (T##4)(c.x, 0, 0, c.y);                                                                        \
    case CLK_RGB:                                                                                                      \
    case ImageYuyv:                                                                                                    \
    case ImageUyvy:                                                                                                    \
    case ImageYvyu:                                                                                                    \
    case ImageVyuy:                                                                                                    \
    case ImageNv12: return (T##4)(c.xyz, one);                                                                         \
    case CLK_RGBA:                                                                                                     \
    case CLK_sRGBA: return c;                                                                                          \
    case CLK_BGRA:                                                                                                     \
    case CLK_sBGRA: return c.zyxw;                                                                                     \
    case CLK_ARGB: return c.yzwx;                                                                                      \
    case CLK_ABGR: return c.wzyx;                                                                                      \
    case CLK_INTENSITY: return c.xxxx;                                                                                 \
    case CLK_LUMINANCE: return (T##4)(c.xxx, one);                                                                     \
    default: return (T##4)(c.x, 0, 0, one);                                                                            \
    }                                                                                                                  \
  }
DEFINE_SWIZZLE(float)
DEFINE_SWIZZLE(uint)
#undef DEFINE_SWIZZLE

// Whether the border outside the image has alpha 1. The border is all zero where the channel order has an alpha.
INLINE bool hasOpaqueBorder(Image image) {
  switch (image->format.channel_order) {
  case CLK_R:
  case CLK_RG:
  case CLK_RGB:
  case CLK_LUMINANCE: return true;
  default: return false;
  }
}

// Returns one element as a color, or the border's color.
INLINE float4 fetchFloat(Image image, Texel at) {
  const uint4 bits = sharesChroma(image) ? loadYuv(image, at) : unpack(image, loadWords(image, at));
  const float4 channels = convertToFloat(image, bits);
  const float4 border = (float4)(0, 0, 0, hasOpaqueBorder(image) ? 1.0f : 0.0f);
  return isInside(image, at) ? toColor(image, channels, 1.0f) : border;
}
// The layout and whether its integers are signed, as one number: one switch on this number stays a branch.
#define INTEGERS(layout, is_signed) ((layout) * 2 + (is_signed))
INLINE uint integersOf(Image image) {
  return INTEGERS(image->format.layout, image->format.sign_shift != 0);
}

// Returns the channels as integers, with their signs extended.
INLINE uint4 unpackIntegers(Image image, uint4 words) {
  switch (integersOf(image)) {
  case INTEGERS(ImageLayoutBytes, true): return as_uint4(as_int4(words.xxxx << (uint4)(24, 16, 8, 0)) >> 24);
  case INTEGERS(ImageLayoutShorts, true): return as_uint4(as_int4(words.xxyy << (uint4)(16, 0, 16, 0)) >> 16);
  default: return unpack(image, words);
  }
}

// Reads an element for read_imagei and read_imageui. The image's own type decides whether signs are extended. In OpenCL
// C the function agrees with this type, or the result is undefined. SPIR-V need not distinguish signed and unsigned
// integers.
INLINE uint4 fetchInteger(Image image, Texel at) {
  const uint4 channels = unpackIntegers(image, loadWords(image, at));
  return isInside(image, at) ? toColor(image, channels, 1u) : (uint4)(0, 0, 0, hasOpaqueBorder(image));
}
