// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Computes sizes, pitches and the descriptor of images.
#include "memory/image.h"

#include "device/memory_limits.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <climits>
#include <cstdint>

namespace lanecl::icd {
namespace {

// Copies the sizes that the image type uses to `image`. CL_INVALID_IMAGE_SIZE if the image dimensions are not valid or
// exceed the maximum image dimensions. Sizes that the type does not use are ignored.
cl_int measure(const cl_image_desc &description, Image &image) {
  const ImageLimits limits = imageLimits(description.image_type, image.element);
  cl_image_desc &own = image.description;
  own = {};
  own.image_type = description.image_type;
  own.image_width = description.image_width;
  own.image_height = limits.height != 0 ? description.image_height : 0;
  own.image_depth = limits.depth != 0 ? description.image_depth : 0;
  own.image_array_size = limits.layers != 0 ? description.image_array_size : 0;
  own.mem_object = description.mem_object;
  image.extent = {own.image_width, limits.height != 0 ? own.image_height : 1, 1};
  if (limits.depth != 0)
    image.extent[2] = own.image_depth;
  if (limits.layers != 0)
    image.extent[limits.height != 0 ? 2 : 1] = own.image_array_size;
  if (std::count(image.extent.begin(), image.extent.end(), 0) != 0 || own.image_width > limits.width ||
      own.image_height > limits.height || own.image_depth > limits.depth || own.image_array_size > limits.layers)
    return CL_INVALID_IMAGE_SIZE;
  return CL_SUCCESS;
}

// CL_INVALID_IMAGE_DESCRIPTOR if the sizes are no multiples of what neighboring elements share, or if the depth of an
// image with planes is not 1. Programs may leave that depth 0, too.
cl_int checkSharing(const Image &image, const cl_image_desc &description) {
  const bool is_whole =
      image.extent[0] % image.element.size_multiple[0] == 0 && image.extent[1] % image.element.size_multiple[1] == 0;
  const bool is_flat = !image.element.hasPlanes() || description.image_depth <= 1;
  return is_whole && is_flat ? CL_SUCCESS : CL_INVALID_IMAGE_DESCRIPTOR;
}

// Returns false if the sizes of an image with the pitches of the description exceed the address space.
bool fitsAddressSpace(const Image &image, const cl_image_desc &description) {
  const bool rows_are_images = description.image_type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
  const size_t rows = rows_are_images ? 1 : image.extent[1];
  const size_t slices = rows_are_images ? image.extent[1] : image.extent[2];
  const size_t row_pitch = std::max(description.image_row_pitch, image.extent[0] * image.element.bytes);
  const size_t slice_pitch = image.hasSlices() ? description.image_slice_pitch : 0;
  size_t slice = 0, bytes = 0;
  return !__builtin_mul_overflow(row_pitch, rows, &slice) &&
         !__builtin_mul_overflow(std::max(slice, slice_pitch), slices, &bytes) && bytes <= PTRDIFF_MAX;
}

// Returns how far kernels shift a channel left and right again to extend its sign to 32 bits.
unsigned signShift(const ElementLayout &element) {
  if (!element.is_signed)
    return 0;
  switch (element.layout) {
  case abi::ImageLayoutBytes: return 24;
  case abi::ImageLayoutShorts: return 16;
  default: return 0;
  }
}

} // namespace

ImageLimits imageLimits(cl_mem_object_type type) {
  switch (type) {
  case CL_MEM_OBJECT_IMAGE1D: return {.width = kMaxImageWidth};
  case CL_MEM_OBJECT_IMAGE1D_BUFFER: return {.width = maxImageBufferElements()};
  case CL_MEM_OBJECT_IMAGE1D_ARRAY: return {.width = kMaxImageWidth, .layers = kMaxImageLayers};
  case CL_MEM_OBJECT_IMAGE2D: return {.width = kMaxImageWidth, .height = kMaxImageHeight};
  case CL_MEM_OBJECT_IMAGE2D_ARRAY:
    return {.width = kMaxImageWidth, .height = kMaxImageHeight, .layers = kMaxImageLayers};
  default: // 3D
    return {.width = deviceProfile().max_image3d_width,
            .height = deviceProfile().max_image3d_width,
            .depth = kMaxImageDepth};
  }
}

ImageLimits imageLimits(cl_mem_object_type type, const ElementLayout &element) {
  ImageLimits limits = imageLimits(type);
  if (element.hasPlanes())
    limits.height = deviceProfile().max_planar_yuv_height;
  return limits;
}

std::vector<Image::Part> Image::partsOf(const ElementBox &box) const {
  for ([[maybe_unused]] size_t i = 0; i < 3; ++i)
    assert(box.region[i] != 0 && box.origin[i] + box.region[i] <= extent[i] && "the box is not in the image");
  std::vector<Part> parts{{rectOf(box.origin), bytesOf(box.region)}};
  if (element.hasPlanes()) {
    // The plane of chroma has two bytes for each pair of elements, and half as many rows.
    const std::array<size_t, 3> chroma{box.origin[0], extent[1] + box.origin[1] / 2, 0};
    parts.push_back({rectOf(chroma), {box.region[0], box.region[1] / 2, 1}});
  }
  return parts;
}

bool overlap(const ElementBox &a, const ElementBox &b) {
  for (size_t i = 0; i < 3; ++i)
    if (a.origin[i] >= b.origin[i] + b.region[i] || b.origin[i] >= a.origin[i] + a.region[i])
      return false;
  return true;
}

cl_int Image::hostRect(const std::array<size_t, 3> &region, size_t row_pitch, size_t slice_pitch, Rect &rect) const {
  const size_t row = region[0] * element.bytes;
  const bool rows_are_images = description.image_type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
  // The specification: "This value must be greater than or equal to the element size in bytes times width".
  if (row_pitch == 0)
    row_pitch = row;
  // The slice pitch must be 0 if the image is a 1D or 2D image, otherwise greater than or equal to row_pitch times
  // height.
  const size_t slice = rows_are_images ? row_pitch : row_pitch * region[1];
  if (row_pitch < row || (slice_pitch != 0 && (!hasSlices() || slice_pitch < slice)))
    return CL_INVALID_VALUE;
  if (slice_pitch == 0)
    slice_pitch = slice;
  rect = rows_are_images ? Rect{.row_pitch = slice_pitch, .slice_pitch = slice_pitch * region[1]}
                         : Rect{.row_pitch = row_pitch, .slice_pitch = slice_pitch};
  return CL_SUCCESS;
}

cl_int describeImage(const cl_image_format &format, const cl_image_desc &description, const ElementLayout &element,
                     bool bound, Image &image) {
  image.format = format;
  image.element = element;
  if (cl_int code = measure(description, image))
    return code;
  if (cl_int code = checkSharing(image, description))
    return code;
  // The image_row_pitch and the image_slice_pitch must be zero if host_ptr is NULL and the image is not a 2D image
  // created from a buffer.
  if (!bound && (description.image_row_pitch != 0 || description.image_slice_pitch != 0))
    return CL_INVALID_IMAGE_DESCRIPTOR;
  // The row pitch must be a multiple of the size of an image element in bytes.
  if (description.image_row_pitch % element.bytes != 0)
    return CL_INVALID_IMAGE_DESCRIPTOR;
  // CL_INVALID_IMAGE_SIZE if the row pitch times the height, or the slice pitch times the depth, exceeds any memory.
  if (!fitsAddressSpace(image, description))
    return CL_INVALID_IMAGE_SIZE;
  const bool rows_are_images = description.image_type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
  const std::array<size_t, 3> whole{image.extent[0], rows_are_images ? 1 : image.extent[1], 1};
  Rect rect;
  const size_t slice_pitch = image.hasSlices() ? description.image_slice_pitch : 0;
  if (image.hostRect(whole, description.image_row_pitch, slice_pitch, rect) != CL_SUCCESS)
    return CL_INVALID_IMAGE_DESCRIPTOR;
  image.description.image_row_pitch = std::max(description.image_row_pitch, image.extent[0] * element.bytes);
  image.y_pitch = rect.row_pitch;
  image.z_pitch = rows_are_images ? rect.row_pitch * image.extent[1] : rect.slice_pitch;
  // A single row has no padding after its elements.
  if (imageLimits(description.image_type).height == 0 && !rows_are_images)
    image.y_pitch = image.z_pitch = image.extent[0] * element.bytes;
  // The plane of chroma has half as many rows as the luma.
  if (element.hasPlanes())
    image.z_pitch += image.z_pitch / 2;
  if (image.hasSlices())
    image.description.image_slice_pitch = rows_are_images ? image.y_pitch : image.z_pitch;
  // The image slice pitch must be a multiple of the image row pitch.
  return image.description.image_slice_pitch % image.description.image_row_pitch == 0 ? CL_SUCCESS
                                                                                      : CL_INVALID_IMAGE_DESCRIPTOR;
}

cl_int describePlane(const Image &planar, size_t plane, const cl_image_format &format, cl_image_desc description,
                     const ElementLayout &element, Image &image) {
  assert(planar.element.hasPlanes() && plane < 2 && "the image has no such plane");
  description.image_width = planar.extent[0] / (plane + 1);
  description.image_height = planar.extent[1] / (plane + 1);
  description.image_row_pitch = description.image_slice_pitch = 0;
  if (cl_int code = describeImage(format, description, element, true, image))
    return code;
  // The pitch is that of the planar image. It need not be a multiple of the plane's element size.
  image.description.image_row_pitch = image.y_pitch = planar.y_pitch;
  image.z_pitch = image.y_pitch * image.extent[1];
  image.offset = plane * planar.y_pitch * planar.extent[1];
  return CL_SUCCESS;
}

void setImageData(Image &image, std::byte *data) {
  assert(data && std::has_single_bit(image.element.bytes) && "kernels shift coordinates to find an element");
  assert(image.y_pitch >= image.extent[0] * image.element.bytes && image.z_pitch >= image.y_pitch * image.extent[1] &&
         "rows or slices of the image overlap");
  assert(std::ranges::max(image.extent) <= INT_MAX && "kernels compute with coordinates of 32 bits");
  abi::ImageDescriptor &descriptor = image.descriptor;
  descriptor.data = reinterpret_cast<unsigned char *>(data);
  descriptor.y_pitch = image.y_pitch;
  descriptor.z_pitch = image.z_pitch;
  for (size_t i = 0; i < 3; ++i)
    descriptor.extent[i] = int(image.extent[i]);
  descriptor.format.channel_order = image.format.image_channel_order;
  descriptor.format.channel_type = image.format.image_channel_data_type;
  descriptor.format.element_log2 = unsigned(std::countr_zero(image.element.bytes));
  descriptor.format.layout = image.element.layout;
  descriptor.format.conversion = image.element.conversion;
  descriptor.format.sign_shift = signShift(image.element);
  for (size_t i = 0; i < 4; ++i) {
    descriptor.format.limit[i] = image.element.limit[i];
    descriptor.format.scale[i] = 1 / image.element.limit[i];
  }
  descriptor.linear_of_srgb = linearOfSrgb();
}

} // namespace lanecl::icd
