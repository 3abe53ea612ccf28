// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The representation of images and samplers in kernels (OpenCL C 3.0, section 6.15.15). The host fills it in and the
// built-in library reads it, so the declarations are both C++ and OpenCL C.
#pragma once

#ifdef __cplusplus
#define LANECL_GLOBAL
namespace lanecl::abi {
#else
#define LANECL_GLOBAL __global
#endif

// The memory layout of the channels of an element.
enum ImageLayout {    // 8 bits for each channel, in order
  ImageLayoutBytes,   // 16 bits for each channel
  ImageLayoutShorts,  // 32 bits for each channel
  ImageLayoutWords,   // 32 bits each
  ImageLayout565,     // 5, 6 and 5 bits of one integer, the first channel in the most significant bits
  ImageLayout555,     // 5 bits for each of three channels, below an unused bit
  ImageLayout101010,  // 10 bits for each of three channels, below two unused bits
  ImageLayout1010102, // 10, 10, 10 and 2 bits of one integer
};

// How the bits of a channel represent a number.
enum ImageConversion {
  ImageConversionUnorm, // 0.0 to 1.0 as 0 to `limit`
  ImageConversionSnorm, // -1.0 to 1.0 as -`limit` to `limit`
  ImageConversionSrgb,  // like Unorm, with colors on the curve of sRGB
  ImageConversionHalf,
  ImageConversionFloat,
  ImageConversionInteger, // the integer itself
};

// The format of an image, as kernels read and write its elements.
struct ImageFormat {
  unsigned channel_order, channel_type; // CLK_RGBA, CLK_UNORM_INT8, …, whose numbers are those of CL_RGBA, …
  unsigned element_log2;                // the base-2 logarithm of an element's size in bytes: 0 to 4
  unsigned layout;                      // enum ImageLayout
  unsigned conversion;                  // enum ImageConversion
  unsigned sign_shift; // the left shift that moves the sign of a signed channel to bit 31; 0 for unsigned channels
  // For each channel in memory, the integer that represents 1.0 in normalized formats, and its reciprocal.
  float limit[4];
  float scale[4];
#ifdef __cplusplus
  bool operator==(const ImageFormat &) const = default;
#endif
};

// The descriptor of an image. A kernel's image argument is its address. It never changes while the image exists.
struct ImageDescriptor {
  LANECL_GLOBAL unsigned char *data;
  // Distances from one y, and one z, to the next, in bytes. The index of an array's layer is the coordinate after the
  // image's own: y for an array of one-dimensional images, z for one of two-dimensional images.
  unsigned long y_pitch, z_pitch;
  int extent[3]; // the size in each coordinate, in elements; 1 if the image does not have the coordinate
  struct ImageFormat format;
  const LANECL_GLOBAL float *linear_of_srgb; // the linear values of the 256 values of an sRGB channel
  unsigned is_of_buffer; // not 0: the image was made from a buffer and has the buffer's pitch and address
};

#ifdef __cplusplus
// The bits of a sampler argument, which is one number. They are those of CLK_NORMALIZED_COORDS_TRUE, CLK_ADDRESS_… and
// CLK_FILTER_… in Clang's opencl-c.h.
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
