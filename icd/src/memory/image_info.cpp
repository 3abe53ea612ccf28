// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Answers clGetImageInfo.
#include "api/entry.h"
#include "api/info.h"
#include "memory/memory_object.h"

namespace lanecl::icd {
namespace {

cl_int imageInfo(cl_mem handle, cl_image_info name, const InfoWriter &info) {
  if (cl_int code = validate(handle))
    return code;
  const Memory &memory = objectOf(handle);
  // CL_INVALID_MEM_OBJECT if image is not a valid image object.
  if (!memory.image())
    return CL_INVALID_MEM_OBJECT;
  const Image &image = *memory.image();
  const cl_image_desc &description = image.description;
  switch (name) {
  case CL_IMAGE_FORMAT: return info.value<cl_image_format>(image.format);
  case CL_IMAGE_ELEMENT_SIZE: return info.value<size_t>(image.element.bytes);
  case CL_IMAGE_ROW_PITCH: return info.value<size_t>(description.image_row_pitch);
  case CL_IMAGE_SLICE_PITCH: return info.value<size_t>(description.image_slice_pitch);
  case CL_IMAGE_WIDTH: return info.value<size_t>(description.image_width);
  case CL_IMAGE_HEIGHT: return info.value<size_t>(description.image_height);
  case CL_IMAGE_DEPTH: return info.value<size_t>(description.image_depth);
  case CL_IMAGE_ARRAY_SIZE: return info.value<size_t>(description.image_array_size);
  case CL_IMAGE_BUFFER: {
    Memory *parent = memory.parent();
    return info.value<cl_mem>(parent && !parent->image() ? parent->handle() : nullptr);
  }
  case CL_IMAGE_NUM_MIP_LEVELS:
  case CL_IMAGE_NUM_SAMPLES: return info.value<cl_uint>(0);
  default: return CL_INVALID_VALUE;
  }
}

} // namespace
} // namespace lanecl::icd

using namespace lanecl::icd;

CL_API_ENTRY cl_int CL_API_CALL clGetImageInfo(cl_mem image, cl_image_info param_name, size_t size, void *value,
                                               size_t *size_ret) {
  return entry([&] { return imageInfo(image, param_name, InfoWriter(size, value, size_ret)); }, param_name);
}
