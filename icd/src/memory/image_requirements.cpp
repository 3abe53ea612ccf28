// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// cl_ext_image_requirements_info: answers what an image would need before it is created. With cl_ext_image_from_buffer
// the alignment of slices can be queried, too.
#include "api/entry.h"
#include "api/info.h"
#include "device/device_limits.h"
#include "device/memory_limits.h"
#include "icd/capabilities.h"
#include "memory/image_in_memory.h"
#include "memory/memory_flags.h"

#include <algorithm>
#include <limits>
#include <span>

namespace lanecl::icd {
namespace {

constexpr cl_mem_object_type kTypes[] = {CL_MEM_OBJECT_IMAGE2D,       CL_MEM_OBJECT_IMAGE3D,
                                         CL_MEM_OBJECT_IMAGE2D_ARRAY, CL_MEM_OBJECT_IMAGE1D,
                                         CL_MEM_OBJECT_IMAGE1D_ARRAY, CL_MEM_OBJECT_IMAGE1D_BUFFER};

// The arguments of the application. image_format and image_desc may be NULL.
struct Request {
  Context &context;
  cl_mem_flags flags;
  const cl_image_format *format;
  const cl_image_desc *description;

  // Returns the kernel access that is asked about. Without access flags it is reading, which all formats allow.
  cl_mem_flags access() const {
    const cl_mem_flags access = flags & (kFormatUse | CL_MEM_KERNEL_READ_AND_WRITE);
    return (access & ~cl_mem_flags(CL_MEM_IMMUTABLE_EXT)) != 0 ? access : access | CL_MEM_READ_ONLY;
  }
  bool hasFormat(cl_mem_object_type type) const {
    return !format || findImageFormat(*format, type, access()).has_value();
  }
  // Returns the layout of the elements. When image_format is NULL the answer must serve all formats, so the layout has
  // the largest elements.
  ElementLayout element() const {
    const auto element = format ? findImageFormat(*format, CL_MEM_OBJECT_IMAGE2D, access()) : std::nullopt;
    return element ? *element : ElementLayout{.bytes = kMaxImageElementBytes};
  }
  size_t elementBytes() const { return element().bytes; }
  // Returns the layout for checks that depend on the format only if one is given; otherwise elements of one byte.
  ElementLayout knownElement() const { return format ? element() : ElementLayout{.bytes = 1}; }
  Memory *parent() const { return description ? Memory::cast(description->mem_object) : nullptr; }
};

// Checks the format. CL_INVALID_IMAGE_FORMAT_DESCRIPTOR also if the device has the format for no image type in
// question.
cl_int checkFormat(const Request &request) {
  if (!request.format)
    return CL_SUCCESS;
  if (cl_int code = checkImageFormat(*request.format))
    return code;
  // CL_INVALID_IMAGE_FORMAT_DESCRIPTOR if values specified in image_format are not valid: there is no other code for
  // formats that the device does not have.
  const cl_mem_object_type type = request.description ? request.description->image_type : 0;
  const bool is_there = type == 0 ? std::ranges::any_of(kTypes, [&](auto each) { return request.hasFormat(each); })
                                  : request.hasFormat(type);
  return is_there ? CL_SUCCESS : CL_INVALID_IMAGE_FORMAT_DESCRIPTOR;
}

// Checks what does not depend on sizes. The image type may be 0.
bool isDescription(const Request &request) {
  const cl_image_desc &description = *request.description;
  if ((description.image_type != 0 && !isImageType(description.image_type)) || description.num_mip_levels != 0 ||
      description.num_samples != 0)
    return false;
  const Memory *parent = request.parent();
  return parent ? &parent->context() == &request.context : !description.mem_object;
}

// Returns the image that the description stands for, with elements of this layout.
Result<Image> imageOf(const Request &request, cl_image_desc description, const ElementLayout &element) {
  const Memory *parent = request.parent();
  if (parent && (!mayHold(*parent, description.image_type) ||
                 (description.image_slice_pitch != 0 && !hasSlices(description.image_type))))
    return Error{CL_INVALID_IMAGE_DESCRIPTOR};
  Image image;
  if (parent && parent->image() && parent->image()->element.hasPlanes()) {
    const Image &planar = *parent->image();
    const cl_image_format of_plane{cl_channel_order(description.image_depth == 0 ? CL_R : CL_RG), CL_UNORM_INT8};
    const cl_image_format &format = request.format ? *request.format : of_plane;
    if (cl_int code = checkPlane(planar, format, description))
      return Error{code};
    if (cl_int code = describePlane(planar, description.image_depth, format, description, element, image))
      return Error{code};
    return image;
  }
  if (parent && parent->image()) {
    const cl_image_format &format = request.format ? *request.format : parent->image()->format;
    if (cl_int code = checkView(*parent->image(), format, description))
      return Error{code};
    description.image_row_pitch = parent->image()->description.image_row_pitch;
  }
  if (describeImage({}, description, element, true, image) != CL_SUCCESS)
    return Error{CL_INVALID_IMAGE_DESCRIPTOR};
  return image;
}

// Checks the whole description. CL_INVALID_IMAGE_DESCRIPTOR if values specified in image_desc are not valid.
cl_int checkDescription(const Request &request) {
  if (!request.description)
    return CL_SUCCESS;
  if (!isDescription(request) || request.description->image_type == 0)
    return CL_INVALID_IMAGE_DESCRIPTOR;
  return imageOf(request, *request.description, request.knownElement()).code();
}

// Answers a query of an alignment.
cl_int alignment(const Request &request, size_t bytes, const InfoWriter &info) {
  if (cl_int code = checkDescription(request))
    return code;
  return info.value<size_t>(bytes);
}

// Answers the query of the size in bytes.
cl_int size(const Request &request, const InfoWriter &info) {
  // Both image_format and image_desc must be non-NULL, otherwise CL_INVALID_VALUE is returned.
  if (!request.format || !request.description)
    return CL_INVALID_VALUE;
  if (cl_int code = checkDescription(request))
    return code;
  auto image = imageOf(request, *request.description, request.element());
  return image ? info.value<size_t>(image->bytes()) : image.code();
}

// A dimension whose greatest size is queried, as a member of the descriptions and of the limits.
struct Dimension {
  size_t cl_image_desc::*member;
  size_t ImageLimits::*limit;
};
constexpr Dimension kWidth{&cl_image_desc::image_width, &ImageLimits::width};
constexpr Dimension kHeight{&cl_image_desc::image_height, &ImageLimits::height};
constexpr Dimension kDepth{&cl_image_desc::image_depth, &ImageLimits::depth};
constexpr Dimension kLayers{&cl_image_desc::image_array_size, &ImageLimits::layers};

// In an image with planes, the rows of luma are followed by half as many rows of chroma. rowsOf() adds these to a
// height, and heightOf() is the inverse.
size_t rowsOf(size_t height, const ElementLayout &element) {
  return element.hasPlanes() ? height + height / 2 : height;
}
size_t heightOf(size_t rows, const ElementLayout &element) {
  return element.hasPlanes() ? rows / 3 * 2 : rows;
}

// Returns the greatest size in this dimension for which the memory has room, with the pitches and the other sizes that
// are given.
size_t room(const Dimension &dimension, const cl_image_desc &description, const ElementLayout &element,
            size_t memory_bytes) {
  const size_t element_bytes = element.bytes;
  const size_t height = rowsOf(std::max<size_t>(description.image_height, 1), element);
  const size_t slices = std::max({description.image_depth, description.image_array_size, size_t{1}});
  const size_t row_bytes =
      description.image_row_pitch != 0 ? description.image_row_pitch : description.image_width * element_bytes;
  const size_t most_slice_bytes =
      description.image_slice_pitch != 0 ? description.image_slice_pitch : memory_bytes / slices;
  if (dimension.member == kHeight.member)
    return heightOf(most_slice_bytes / row_bytes, element);
  if (dimension.member != kWidth.member)
    return memory_bytes / (description.image_slice_pitch != 0 ? description.image_slice_pitch : row_bytes * height);
  return (description.image_row_pitch != 0 ? description.image_row_pitch : most_slice_bytes / height) / element_bytes;
}

// Returns what a size must be a multiple of.
size_t unitOf(size_t cl_image_desc::*member, const ElementLayout &element) {
  if (member == kWidth.member)
    return element.size_multiple[0];
  return member == kHeight.member ? element.size_multiple[1] : 1;
}

// Returns the description with a value for each size. The size that is queried has no effect.
//
// A size of 0 stands for all sizes that an image may have, and is replaced by the smallest one: 1, or what sizes must
// be multiples of. A view has the sizes of its image. Whether memory suffices for the largest sizes in all dimensions
// together is not the question.
cl_image_desc withSizes(const Request &request, cl_mem_object_type type, const Dimension &dimension) {
  cl_image_desc description = request.description ? *request.description : cl_image_desc{};
  description.image_type = type;
  description.*dimension.member = 0;
  const Memory *parent = request.parent();
  for (size_t cl_image_desc::*member : {kWidth.member, kHeight.member, kDepth.member, kLayers.member})
    if (description.*member == 0)
      description.*member =
          parent && parent->image() ? parent->image()->description.*member : unitOf(member, request.element());
  return description;
}

// Returns the greatest size in this dimension of images of one type.
Result<size_t> maximum(const Request &request, cl_mem_object_type type, const Dimension &dimension) {
  const cl_image_desc description = withSizes(request, type, dimension);
  auto image = imageOf(request, description, request.knownElement());
  if (!image)
    return image.error();
  const Memory *parent = request.parent();
  const size_t memory_bytes = parent ? parent->size() : maxAllocationBytes();
  if (image->bytes() > memory_bytes)
    return Error{CL_INVALID_IMAGE_DESCRIPTOR};
  if (parent && parent->image())
    return image->description.*dimension.member;
  cl_image_desc sized = image->description; // has 0 in members that the type does not use
  sized.image_row_pitch = description.image_row_pitch;
  sized.image_slice_pitch = image->hasSlices() ? description.image_slice_pitch : 0;
  const ElementLayout element = request.element();
  const size_t most =
      std::min(imageLimits(type, element).*dimension.limit, room(dimension, sized, element, memory_bytes));
  return most - most % unitOf(dimension.member, element);
}

// Answers the query of a greatest size. image_type must be 0 or a type that has the dimension, otherwise
// CL_INVALID_IMAGE_DESCRIPTOR is returned. When it is 0, the answer must serve all types that have the dimension.
cl_int maximum(const Request &request, const Dimension &dimension, const InfoWriter &info) {
  if (request.description && !isDescription(request))
    return CL_INVALID_IMAGE_DESCRIPTOR;
  const cl_mem_object_type wanted = request.description ? request.description->image_type : 0;
  const Memory *parent = request.parent();
  size_t least = std::numeric_limits<cl_uint>::max();
  bool is_possible = false;
  for (const cl_mem_object_type type : kTypes) {
    if ((wanted != 0 && wanted != type) || imageLimits(type).*dimension.limit == 0 ||
        (wanted == 0 && (!request.hasFormat(type) || (parent && !mayHold(*parent, type)))))
      continue;
    auto most = maximum(request, type, dimension);
    if (!most)
      return most.code();
    is_possible = true;
    least = std::min(least, *most);
  }
  return is_possible ? info.value<cl_uint>(cl_uint(least)) : CL_INVALID_IMAGE_DESCRIPTOR;
}

cl_int requirementsInfo(cl_context context, const cl_mem_properties *properties, cl_mem_flags flags,
                        const cl_image_format *format, const cl_image_desc *description,
                        cl_image_requirements_info_ext name, const InfoWriter &info) {
  if (cl_int code = validate(context))
    return code;
  // CL_INVALID_PROPERTY if a property name in properties is not a supported property name: there are none.
  if (properties && *properties != 0)
    return CL_INVALID_PROPERTY;
  if (cl_int code = checkFlags(flags & ~cl_mem_flags(CL_MEM_KERNEL_READ_AND_WRITE)))
    return code;
  const Request request{objectOf(context), flags, format, description};
  if (cl_int code = checkFormat(request))
    return code;
  switch (name) {
  case CL_IMAGE_REQUIREMENTS_BASE_ADDRESS_ALIGNMENT_EXT:
    return alignment(request, baseAddressAlignment(request.elementBytes()), info);
  case CL_IMAGE_REQUIREMENTS_ROW_PITCH_ALIGNMENT_EXT:
    return alignment(request, rowPitchAlignment(request.elementBytes()), info);
  case CL_IMAGE_REQUIREMENTS_SLICE_PITCH_ALIGNMENT_EXT:
    return hasExtension("cl_ext_image_from_buffer")
               ? alignment(request, slicePitchAlignment(request.elementBytes()), info)
               : CL_INVALID_VALUE;
  case CL_IMAGE_REQUIREMENTS_SIZE_EXT: return size(request, info);
  case CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT: return maximum(request, kWidth, info);
  case CL_IMAGE_REQUIREMENTS_MAX_HEIGHT_EXT: return maximum(request, kHeight, info);
  case CL_IMAGE_REQUIREMENTS_MAX_DEPTH_EXT: return maximum(request, kDepth, info);
  case CL_IMAGE_REQUIREMENTS_MAX_ARRAY_SIZE_EXT: return maximum(request, kLayers, info);
  // CL_INVALID_VALUE if param_name is not valid.
  default: return CL_INVALID_VALUE;
  }
}

} // namespace
} // namespace lanecl::icd

using namespace lanecl::icd;

CL_API_ENTRY cl_int CL_API_CALL clGetImageRequirementsInfoEXT(cl_context context, const cl_mem_properties *properties,
                                                              cl_mem_flags flags, const cl_image_format *format,
                                                              const cl_image_desc *description,
                                                              cl_image_requirements_info_ext param_name, size_t size,
                                                              void *value, size_t *size_ret) {
  return entry(
      [&] {
        return requirementsInfo(context, properties, flags, format, description, param_name,
                                InfoWriter(size, value, size_ret));
      },
      param_name);
}
