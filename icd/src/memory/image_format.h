// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The image formats: which exist, which the device has, and how their elements are made.
#pragma once

#include "vectorizer/contract/image.h"

#include <CL/cl.h>

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

namespace lanecl::icd {

struct ElementLayout {
  size_t bytes = 0;
  unsigned channels = 0; // that lie in these bytes
  abi::ImageLayout layout{};
  abi::ImageConversion conversion{};
  bool is_signed = false;
  std::array<float, 4> limit{}; // of normalized channels, by their order in memory
  // How many elements share chroma, by coordinate; what the image's sizes are multiples of.
  std::array<size_t, 2> shared{1, 1}, size_multiple{1, 1};

  bool sharesChroma() const { return shared[0] != 1; }
  bool hasPlanes() const { return shared[1] != 1; }
};

// CL_INVALID_IMAGE_FORMAT_DESCRIPTOR for invalid values or combinations.
cl_int checkImageFormat(const cl_image_format &format);

// Nothing for a format that the device does not have for this use of the image by kernels (`use`: one of
// CL_MEM_READ_WRITE, CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY, CL_MEM_NO_ACCESS_INTEL, CL_MEM_KERNEL_READ_AND_WRITE; with
// CL_MEM_IMMUTABLE_EXT for such images).
std::optional<ElementLayout> findImageFormat(const cl_image_format &format, cl_mem_object_type type, cl_mem_flags use);

// All that findImageFormat finds.
std::vector<cl_image_format> imageFormats(cl_mem_object_type type, cl_mem_flags use);

bool isImageType(cl_mem_object_type type);

// A fill colour of clEnqueueFillImage as an element of that format; `element.bytes` of the result count. Of elements
// that share chroma it is a pair of them, or the Y and behind it the U and V of two by two.
using PixelBytes = std::array<std::byte, 16>;
PixelBytes encodeColor(const cl_image_format &format, const ElementLayout &element, const void *color);

// The values that the 256 bytes of an sRGB channel stand for.
const float *linearOfSrgb();

} // namespace lanecl::icd
