// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Images and samplers for tests.
#pragma once

#include "support/session.hpp"

#include <array>

namespace lanecl::test {

using Sampler = Handle<cl_sampler, clRetainSampler, clReleaseSampler>;
using Extent = std::array<size_t, 3>; // along each coordinate; the last one counts the images of an array

// Returns the description of an image whose rows and slices have no padding.
inline cl_image_desc describeImage(cl_mem_object_type type, const Extent &extent) {
  cl_image_desc description{};
  description.image_type = type;
  description.image_width = extent[0];
  switch (type) {
  case CL_MEM_OBJECT_IMAGE1D_ARRAY: description.image_array_size = extent[1]; break;
  case CL_MEM_OBJECT_IMAGE2D_ARRAY: description.image_array_size = extent[2]; [[fallthrough]];
  case CL_MEM_OBJECT_IMAGE2D: description.image_height = extent[1]; break;
  case CL_MEM_OBJECT_IMAGE3D:
    description.image_height = extent[1];
    description.image_depth = extent[2];
    break;
  default: break;
  }
  return description;
}

// Creates an image. Throws ClError if that fails, as all helpers do.
inline Memory makeImage(const Session &cl, const cl_image_format &format, const cl_image_desc &description,
                        cl_mem_flags flags = CL_MEM_READ_WRITE, const void *host = nullptr) {
  cl_int code = CL_SUCCESS;
  Memory image(clCreateImage(cl.context, flags, &format, &description, const_cast<void *>(host), &code));
  check(code, "clCreateImage");
  return image;
}

// Makes an image with that content, which has no padding.
template <class T>
Memory makeImage(const Session &cl, const cl_image_format &format, cl_mem_object_type type, const Extent &extent,
                 const std::vector<T> &content, cl_mem_flags flags = CL_MEM_READ_WRITE) {
  return makeImage(cl, format, describeImage(type, extent), flags | CL_MEM_COPY_HOST_PTR, content.data());
}

// Returns a query of an image that yields a size.
inline size_t imageSize(const Memory &image, cl_image_info name) {
  size_t value = 0;
  check(clGetImageInfo(image, name, sizeof value, &value, nullptr), "clGetImageInfo");
  return value;
}

// Reads all elements of an image, without padding.
template <class T> std::vector<T> readImage(const Session &cl, const Memory &image, const Extent &extent) {
  const size_t bytes = imageSize(image, CL_IMAGE_ELEMENT_SIZE) * extent[0] * extent[1] * extent[2];
  std::vector<T> content(bytes / sizeof(T));
  const size_t origin[3] = {0, 0, 0};
  check(clEnqueueReadImage(cl.queue, image, CL_TRUE, origin, extent.data(), 0, 0, content.data(), 0, nullptr, nullptr),
        "clEnqueueReadImage");
  return content;
}

inline Sampler makeSampler(const Session &cl, bool normalized, cl_addressing_mode addressing, cl_filter_mode filter) {
  cl_int code = CL_SUCCESS;
  Sampler sampler(clCreateSampler(cl.context, normalized ? CL_TRUE : CL_FALSE, addressing, filter, &code));
  check(code, "clCreateSampler");
  return sampler;
}

// Returns the formats that the context supports for images of that type.
inline std::vector<cl_image_format> supportedFormats(const Session &cl, cl_mem_object_type type, cl_mem_flags flags) {
  cl_uint count = 0;
  check(clGetSupportedImageFormats(cl.context, flags, type, 0, nullptr, &count), "clGetSupportedImageFormats");
  std::vector<cl_image_format> formats(count);
  if (count != 0)
    check(clGetSupportedImageFormats(cl.context, flags, type, count, formats.data(), nullptr),
          "clGetSupportedImageFormats");
  return formats;
}

} // namespace lanecl::test
