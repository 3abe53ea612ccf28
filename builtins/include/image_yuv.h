// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Loads elements that share chroma with their neighbors (cl_intel_packed_yuv, cl_intel_planar_yuv).
#pragma once

#include "image.h"

#include "vectorizer/contract/image_yuv.h"

INLINE bool sharesChroma(Image image) {
  return image->format.channel_order >= ImageYuyv;
}

// Loads from a pair of elements in four bytes. In the first order, YUYV, these are Y U Y V. The second order swaps luma
// and chroma, the third one U and V, and the fourth one both.
INLINE uint4 loadFromPair(Image image, Texel at) {
  const uint pair = ((const __global uint_anywhere *)rowOf(image, at))[at.x >> 1];
  const uint order = image->format.channel_order - ImageYuyv;
  const uint y = (order & 1) * 8 + (at.x & 1) * 16, v = 24 - 8 * order;
  return (uint4)(pair) >> (uint4)(v, y, v ^ 16, 0) & (uint4)(0xff, 0xff, 0xff, 0);
}

// Loads from a plane of luma, which is followed by a plane of chroma pairs. Both planes have the same pitch.
INLINE uint4 loadFromPlanes(Image image, Texel at) {
  const Texel chroma = {at.x >> 1, image->extent[1] + (at.y >> 1), 0};
  const uint uv = ((const __global ushort_anywhere *)rowOf(image, chroma))[chroma.x];
  return (uint4)(uv >> 8, rowOf(image, at)[at.x], uv & 0xff, 0);
}

// Returns V, Y and U, or zeros for a position outside the image.
INLINE uint4 loadYuv(Image image, Texel at) {
  if (!isInside(image, at))
    return (uint4)(0);
  return image->format.channel_order == ImageNv12 ? loadFromPlanes(image, at) : loadFromPair(image, at);
}
