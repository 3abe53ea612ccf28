// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Checks images that are created from buffers and from other images.

#include "memory/image_in_memory.h"

#include "device/device_limits.h"
#include "icd/capabilities.h"

#include <algorithm>

namespace lanecl::icd {
namespace {

// Returns true if a view of this channel order may be made of an image of another order.
bool areCompatible(cl_channel_order of_image, cl_channel_order of_view) {
  constexpr std::pair<cl_channel_order, cl_channel_order> kPairs[] = {
      {CL_sBGRA, CL_BGRA}, {CL_sRGBA, CL_RGBA}, {CL_sRGB, CL_RGB}, {CL_sRGBx, CL_RGBx}};
  return (of_image == CL_R && of_view == CL_DEPTH) ||
         std::any_of(std::begin(kPairs), std::end(kPairs), [&](const auto &pair) {
           return (of_image == pair.first && of_view == pair.second) ||
                  (of_image == pair.second && of_view == pair.first);
         });
}

// All of the values specified in image_desc must match the image descriptor information associated with mem_object,
// except for mem_object. A pitch may also be 0.
bool hasSamePitches(const cl_image_desc &view, const cl_image_desc &image) {
  const auto isPitch = [](size_t given, size_t actual) { return given == 0 || given == actual; };
  return isPitch(view.image_row_pitch, image.image_row_pitch) &&
         isPitch(view.image_slice_pitch, image.image_slice_pitch);
}
bool describesSame(const cl_image_desc &view, const cl_image_desc &image) {
  return view.image_type == image.image_type && view.image_width == image.image_width &&
         view.image_height == image.image_height && hasSamePitches(view, image);
}

// Returns true if programs can ask for the requirements of an image. Such programs get LaneCL's own requirements,
// which are low. Other programs rely on those that the device's properties state.
bool canBeAsked() {
  return hasExtension("cl_ext_image_requirements_info");
}

// Returns true if images of all types may lie in buffers.
bool holdsAllTypes() {
  return hasExtension("cl_ext_image_from_buffer");
}

} // namespace

// mem_object can be a buffer memory object if image_type is CL_MEM_OBJECT_IMAGE1D_BUFFER or CL_MEM_OBJECT_IMAGE2D, or
// any other with cl_ext_image_from_buffer, and an image object if image_type is CL_MEM_OBJECT_IMAGE2D.
bool mayHold(const Memory &parent, cl_mem_object_type type) {
  if (parent.image())
    return type == CL_MEM_OBJECT_IMAGE2D && parent.type() == CL_MEM_OBJECT_IMAGE2D;
  return parent.type() == CL_MEM_OBJECT_BUFFER &&
         (type == CL_MEM_OBJECT_IMAGE1D_BUFFER || type == CL_MEM_OBJECT_IMAGE2D || holdsAllTypes());
}

// The alignment is 1 where programs can ask for it, because kernels access elements at any address.
size_t baseAddressAlignment(size_t element_bytes) {
  return canBeAsked() ? 1 : kImageBaseAlignment * element_bytes;
}

// The row pitch must be a multiple of the size of an image element in bytes.
size_t rowPitchAlignment(size_t element_bytes) {
  return canBeAsked() ? element_bytes : kImagePitchAlignment * element_bytes;
}

// The slice pitch must be a multiple of the row pitch, and therefore of the element size.
size_t slicePitchAlignment(size_t element_bytes) {
  return element_bytes;
}

cl_int checkAlignment(const Memory &buffer, const cl_image_desc &description, size_t element_bytes) {
  // 1D image buffers are older than these rules, which do not apply to them.
  if (description.image_type != CL_MEM_OBJECT_IMAGE2D && !holdsAllTypes())
    return CL_SUCCESS;
  const size_t row = description.image_width * element_bytes;
  const size_t row_pitch = description.image_row_pitch != 0 ? description.image_row_pitch : row;
  const bool is_aligned = row_pitch % rowPitchAlignment(element_bytes) == 0 &&
                          description.image_slice_pitch % slicePitchAlignment(element_bytes) == 0 &&
                          reinterpret_cast<uintptr_t>(buffer.data()) % baseAddressAlignment(element_bytes) == 0;
  return is_aligned ? CL_SUCCESS : CL_INVALID_IMAGE_FORMAT_DESCRIPTOR;
}

cl_int checkView(const Image &viewed, const cl_image_format &format, const cl_image_desc &description) {
  if (!describesSame(description, viewed.description))
    return CL_INVALID_IMAGE_DESCRIPTOR;
  // The image channel data type must match, the image channel order must be compatible.
  const bool matches = format.image_channel_data_type == viewed.format.image_channel_data_type &&
                       areCompatible(viewed.format.image_channel_order, format.image_channel_order);
  return matches ? CL_SUCCESS : CL_INVALID_IMAGE_FORMAT_DESCRIPTOR;
}

cl_int checkPlane(const Image &planar, const cl_image_format &format, const cl_image_desc &description) {
  if (description.image_type != planar.description.image_type || description.image_depth > 1 ||
      !hasSamePitches(description, planar.description))
    return CL_INVALID_IMAGE_DESCRIPTOR;
  // CL_R for the plane of Y, CL_RG for that of U and V; the channel data type may be CL_UNORM_INT8 or CL_UNSIGNED_INT8.
  const cl_channel_order order = description.image_depth == 0 ? CL_R : CL_RG;
  const bool matches = format.image_channel_order == order && (format.image_channel_data_type == CL_UNORM_INT8 ||
                                                               format.image_channel_data_type == CL_UNSIGNED_INT8);
  return matches ? CL_SUCCESS : CL_INVALID_IMAGE_FORMAT_DESCRIPTOR;
}

} // namespace lanecl::icd
