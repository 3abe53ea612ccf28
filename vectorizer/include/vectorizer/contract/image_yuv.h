// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The channel orders of YUV images, whose elements share their chroma (cl_intel_packed_yuv, cl_intel_planar_yuv).
// Kernels read an element as V, Y and U.
#pragma once

#ifdef __cplusplus
namespace lanecl::abi {
#endif

// The numbers are those of CL_YUYV_INTEL and so on. All other channel orders have smaller numbers.
enum ImageYuvOrder {
  // Packed: four bytes hold two elements, with a Y for each and one U and V for both.
  ImageYuyv = 0x4076,
  ImageUyvy,
  ImageYvyu,
  ImageVyuy,
  // Planar: all rows of Y, followed by rows of pairs of U and V, one pair for two by two elements.
  ImageNv12 = 0x410E
};

#ifdef __cplusplus
} // namespace lanecl::abi
#endif
