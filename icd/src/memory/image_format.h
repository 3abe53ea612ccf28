// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The image formats: which exist, which the device has, and how their elements are laid out.
#pragma once

#include "vectorizer/contract/image.h"

#include <CL/cl.h>

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

namespace lanecl::icd {

// The layout of an element, or of the smallest group of elements that share chroma.
struct ElementLayout {
  size_t bytes = 0;
  unsigned channels = 0; // channels that lie in these bytes
  abi::ImageLayout layout{};
  abi::ImageConversion conversion{};
  bool is_signed = false;
  std::array<float, 4> limit{}; // the value that stands for 1.0 in each normalized channel, in the order of memory
  // How many elements share one chroma value in x and in y, and what the width and the height of the image must be
  // multiples of.
  std::array<size_t, 2> shared{1, 1}, size_multiple{1, 1};

  bool sharesChroma() const { return shared[0] != 1; }
  bool hasPlanes() const { return shared[1] != 1; }
};

// CL_INVALID_IMAGE_FORMAT_DESCRIPTOR for values and for combinations of order and type that do not exist.
cl_int checkImageFormat(const cl_image_format &format);

// Returns the layout of a format, or nothing if the device does not have the format for this image type and use.
//
// `use` says how kernels access the image: it is one of CL_MEM_READ_WRITE, CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY,
// CL_MEM_NO_ACCESS_INTEL and CL_MEM_KERNEL_READ_AND_WRITE, with CL_MEM_IMMUTABLE_EXT added for immutable images.
std::optional<ElementLayout> findImageFormat(const cl_image_format &format, cl_mem_object_type type, cl_mem_flags use);

// Returns all formats that findImageFormat() finds for this image type and use.
std::vector<cl_image_format> imageFormats(cl_mem_object_type type, cl_mem_flags use);

bool isImageType(cl_mem_object_type type);

// Encodes a fill color of clEnqueueFillImage as an element of that format. The first `element.bytes` bytes of the
// result are used. For elements that share chroma the result is a pair of them. For an image with planes it is one Y,
// followed by the U and V of two by two elements.
using PixelBytes = std::array<std::byte, 16>;
PixelBytes encodeColor(const cl_image_format &format, const ElementLayout &element, const void *color);

// Returns a table of the linear values that the 256 bytes of an sRGB channel stand for.
const float *linearOfSrgb();

} // namespace lanecl::icd
