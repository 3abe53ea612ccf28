// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The representation of images and samplers in kernels. The host fills it in and the built-in library reads it, so the
// declarations are both C++ and OpenCL C.
#pragma once

#ifdef __cplusplus
#define LANECL_GLOBAL
namespace lanecl::abi {
#else
#define LANECL_GLOBAL __global
#endif

// The memory layout of an element's channels.
enum ImageLayout {
  ImageLayoutBytes,  // one byte each, in order
  ImageLayoutShorts, // 16 bits each
  ImageLayoutWords,  // 32 bits each
  ImageLayout565,    // fields of one integer, the first channel in the most significant bits
  ImageLayout555,    // below an unused bit
  ImageLayout101010, // below two unused bits
  ImageLayout1010102,
};

// What a channel's bits mean.
enum ImageConversion {
  ImageConversionUnorm, // 0 to 1 as 0 to `limit`
  ImageConversionSnorm, // -1 to 1 as -`limit` to `limit`
  ImageConversionSrgb,  // as unorm, colours in sRGB's curve
  ImageConversionHalf,
  ImageConversionFloat,
  ImageConversionInteger, // as it is
};

// How elements are to be read and written.
struct ImageFormat {
  unsigned channel_order, channel_type; // as CLK_RGBA, CLK_UNORM_INT8, …; the numbers are also those of CL_RGBA, …
  unsigned element_log2;                // of its bytes: 0 to 4
  unsigned layout;                      // enum ImageLayout
  unsigned conversion;                  // enum ImageConversion
  unsigned sign_shift;                  // moves a signed channel's sign to bit 31; 0 for unsigned channels
  float limit[4];                       // by channel in memory: the number that represents 1.0 when normalized,
  float scale[4];                       // and its reciprocal
#ifdef __cplusplus
  bool operator==(const ImageFormat &) const = default;
#endif
};

// A kernel's image argument is the address of this. It never changes while the image exists.
struct ImageDescriptor {
  LANECL_GLOBAL unsigned char *data;
  // Bytes from one y, and one z, to the next. The layer of an array is the coordinate after its image's own: y of a
  // one-dimensional one, z of a two-dimensional one.
  unsigned long y_pitch, z_pitch;
  int extent[3]; // of each coordinate; 1 where the image has none
  struct ImageFormat format;
  const LANECL_GLOBAL float *linear_of_srgb; // 256 values
  unsigned is_of_buffer;                     // made from a buffer, whose pitch and begin it has
};

#ifdef __cplusplus
// A sampler argument is one number, made of the bits that CLK_NORMALIZED_COORDS_TRUE, CLK_ADDRESS_… and CLK_FILTER_… of
// Clang's opencl-c.h are.
enum SamplerBits : unsigned {
  SamplerNormalized = 0x01,
  SamplerAddressNone = 0x00,
  SamplerAddressClampToEdge = 0x02,
  SamplerAddressClamp = 0x04,
  SamplerAddressRepeat = 0x06,
  SamplerAddressMirroredRepeat = 0x08,
  SamplerFilterNearest = 0x10,
  SamplerFilterLinear = 0x20,
};
} // namespace lanecl::abi
#endif

#undef LANECL_GLOBAL
