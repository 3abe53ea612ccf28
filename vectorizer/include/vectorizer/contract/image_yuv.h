// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The channel orders of elements that share chroma. They are read as V, Y and U.
#pragma once

#ifdef __cplusplus
namespace lanecl::abi {
#endif

// The numbers are those of CL_YUYV_INTEL, …; all other orders have smaller ones.
enum ImageYuvOrder {
  // Two elements in four bytes, a Y for each between their U and V.
  ImageYuyv = 0x4076,
  ImageUyvy,
  ImageYvyu,
  ImageVyuy,
  // Bytes of Y, and behind all rows of these bytes of U and V, a pair for two by two elements.
  ImageNv12 = 0x410E
};

#ifdef __cplusplus
} // namespace lanecl::abi
#endif
