// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Creates images, and lists the formats that they may have.
#include "api/entry.h"
#include "device/memory_limits.h"
#include "memory/image.h"
#include "memory/image_in_memory.h"
#include "memory/memory_flags.h"
#include "memory/memory_object.h"
#include "memory/memory_properties.h"

#include "icd/capabilities.h"

#include <algorithm>

namespace lanecl::icd {
namespace {

// The arguments of the application.
struct Request {
  const cl_mem_properties *properties;
  cl_mem_flags flags;
  const cl_image_format *format;
  const cl_image_desc *description;
  void *host_pointer;
  MemoryProperties given = {}; // the content of `properties`, once it was read
};

// Makes the checks that all kinds of images have in common.
cl_int checkRequest(cl_context context, Request &request) {
  if (cl_int code = validate(context))
    return code;
  // CL_INVALID_OPERATION if there are no devices in context that support images.
  if (!hasFeature("__opencl_c_images"))
    return CL_INVALID_OPERATION;
  auto given = readProperties(objectOf(context), request.properties);
  if (!given)
    return given.code();
  request.given = std::move(*given);
  // CL_INVALID_PROPERTY if a property name in properties is not a supported property name:
  // CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT is one of buffers only.
  if (request.given.device_address)
    return CL_INVALID_PROPERTY;
  if (cl_int code = checkFlags(request.flags))
    return code;
  // CL_INVALID_IMAGE_FORMAT_DESCRIPTOR if values specified in image_format are not valid or if image_format is NULL.
  if (!request.format)
    return CL_INVALID_IMAGE_FORMAT_DESCRIPTOR;
  if (cl_int code = checkImageFormat(*request.format))
    return code;
  // CL_INVALID_IMAGE_DESCRIPTOR if values specified in image_desc are not valid or if image_desc is NULL.
  // num_mip_levels and num_samples must be 0.
  if (!request.description || !isImageType(request.description->image_type) ||
      request.description->num_mip_levels != 0 || request.description->num_samples != 0)
    return CL_INVALID_IMAGE_DESCRIPTOR;
  return CL_SUCCESS;
}

// Finds the format and computes sizes and pitches. `bound` is as for describeImage().
Result<std::unique_ptr<Image>> describe(const Request &request, cl_mem_flags flags, bool bound) {
  const auto element = findImageFormat(*request.format, request.description->image_type, flags & kFormatUse);
  // CL_IMAGE_FORMAT_NOT_SUPPORTED if there are no devices in context that support image_format.
  if (!element)
    return Error{CL_IMAGE_FORMAT_NOT_SUPPORTED};
  auto image = std::make_unique<Image>();
  if (cl_int code = describeImage(*request.format, *request.description, *element, bound, *image))
    return Error{code};
  return image;
}

// Returns true if the flags allow the host to access a planar YUV image. They must not: commands that transfer data
// between the host and an image do not handle the second plane.
bool lacksHostNoAccess(const cl_image_format &format, cl_mem_flags flags) {
  return format.image_channel_order == CL_NV12_INTEL && (flags & CL_MEM_HOST_NO_ACCESS) == 0;
}

// CL_INVALID_VALUE if the image_channel_order of image_format is a Planar YUV format and flags does not include
// CL_MEM_HOST_NO_ACCESS.
cl_int checkPlanarFlags(const Request &request, cl_mem_flags flags) {
  return lacksHostNoAccess(*request.format, flags) ? CL_INVALID_VALUE : CL_SUCCESS;
}

// Creates an image with memory of its own.
Result<Ref<Memory>> createPlainImage(Context &context, const Request &request) {
  const cl_mem_flags flags = withDefaultAccess(request.flags);
  if (cl_int code = checkContent(flags))
    return Error{code};
  if (cl_int code = checkPlanarFlags(request, flags))
    return Error{code};
  auto image = describe(request, flags, request.host_pointer != nullptr);
  if (!image)
    return image.error();
  if (cl_int code = checkHostPointer(flags, request.host_pointer))
    return Error{code};
  if ((*image)->bytes() > maxAllocationBytes())
    return Error{CL_MEM_OBJECT_ALLOCATION_FAILURE};
  return Memory::createImage(context, flags, std::move(*image), request.host_pointer, request.given.list);
}

// Creates an image in external memory. Its elements lie in rows and slices with the pitches of the description, or
// without gaps where the description has none.
Result<Ref<Memory>> createExternalImage(Context &context, const Request &request) {
  const cl_mem_flags flags = withDefaultAccess(request.flags);
  if (cl_int code = checkExternal(flags, request.host_pointer))
    return Error{code};
  if (cl_int code = checkPlanarFlags(request, flags))
    return Error{code};
  auto image = describe(request, flags, true);
  if (!image)
    return image.error();
  const size_t bytes = (*image)->bytes();
  if (bytes > maxAllocationBytes())
    return Error{CL_MEM_OBJECT_ALLOCATION_FAILURE};
  auto external = ExternalMemory::import(*request.given.external, bytes, (flags & CL_MEM_IMMUTABLE_EXT) == 0,
                                         CL_INVALID_IMAGE_SIZE);
  if (!external)
    return external.error();
  return Memory::createImage(context, flags, std::move(*image), nullptr, request.given.list, std::move(*external));
}

// Creates an image in the memory of a buffer.
Result<Ref<Memory>> createImageInBuffer(Memory &buffer, const Request &request, cl_mem_flags flags) {
  const cl_image_desc &description = *request.description;
  if (cl_int code = checkPlanarFlags(request, flags))
    return Error{code};
  // The image_slice_pitch must be zero if host_ptr is NULL, except for an image with slices in a buffer.
  if (description.image_slice_pitch != 0 && !hasSlices(description.image_type))
    return Error{CL_INVALID_IMAGE_DESCRIPTOR};
  if (const auto element = findImageFormat(*request.format, description.image_type, flags & kFormatUse))
    if (cl_int code = checkAlignment(buffer, description, element->bytes))
      return Error{code};
  auto image = describe(request, flags, true);
  if (!image)
    return image.error();
  // CL_INVALID_IMAGE_SIZE if the buffer is too small: the image_width times the size of an element, the image_row_pitch
  // times image_height, or the image_slice_pitch times image_depth or image_array_size must be <= its size.
  if ((*image)->bytes() > buffer.size())
    return Error{CL_INVALID_IMAGE_SIZE};
  return make<Memory>(buffer, flags, std::move(*image), request.given.list);
}

// Creates a view of one plane of a planar YUV image.
Result<Ref<Memory>> createPlane(Memory &planar, const Request &request, cl_mem_flags flags) {
  const cl_image_desc &description = *request.description;
  if (cl_int code = checkPlane(*planar.image(), *request.format, description))
    return Error{code};
  const auto element = findImageFormat(*request.format, description.image_type, flags & kFormatUse);
  if (!element)
    return Error{CL_IMAGE_FORMAT_NOT_SUPPORTED};
  auto image = std::make_unique<Image>();
  if (cl_int code =
          describePlane(*planar.image(), description.image_depth, *request.format, description, *element, *image))
    return Error{code};
  return make<Memory>(planar, flags, std::move(image), request.given.list);
}

// Creates an image that sees the elements of another image in another format.
Result<Ref<Memory>> createView(Memory &viewed, const Request &request, cl_mem_flags flags) {
  const Image &original = *viewed.image();
  if (original.element.hasPlanes())
    return createPlane(viewed, request, flags);
  if (cl_int code = checkView(original, *request.format, *request.description))
    return Error{code};
  cl_image_desc description = *request.description;
  description.image_row_pitch = original.description.image_row_pitch;
  Request complete = request;
  complete.description = &description;
  auto image = describe(complete, flags, true);
  return image ? make<Memory>(viewed, flags, std::move(*image), request.given.list)
               : Result<Ref<Memory>>(image.error());
}

// Creates an image in the memory of an existing object.
Result<Ref<Memory>> createDerivedImage(Context &context, const Request &request) {
  Memory *parent = Memory::cast(request.description->mem_object);
  if (!parent || !mayHold(*parent, request.description->image_type))
    return Error{CL_INVALID_IMAGE_DESCRIPTOR};
  if (&parent->context() != &context)
    return Error{CL_INVALID_CONTEXT};
  if (cl_int code = checkDerivedFlags(parent->flags(), request.flags))
    return Error{code};
  // CL_INVALID_VALUE if CL_MEM_IMMUTABLE_EXT is not set in flags and mem_object was created with it.
  if ((parent->flags() & ~request.flags & CL_MEM_IMMUTABLE_EXT) != 0)
    return Error{CL_INVALID_VALUE};
  if (request.host_pointer)
    return Error{CL_INVALID_HOST_PTR};
  const cl_mem_flags flags = inheritFlags(parent->flags(), request.flags);
  return parent->image() ? createView(*parent, request, flags) : createImageInBuffer(*parent, request, flags);
}

Result<Ref<Memory>> createImage(cl_context context, Request request) {
  if (cl_int code = checkRequest(context, request))
    return Error{code};
  // A 1D image buffer is always in the memory of a buffer.
  const bool derived =
      request.description->mem_object != nullptr || request.description->image_type == CL_MEM_OBJECT_IMAGE1D_BUFFER;
  // CL_INVALID_IMAGE_DESCRIPTOR if two memories are given: that of an object and external memory.
  if (derived && request.given.external)
    return Error{CL_INVALID_IMAGE_DESCRIPTOR};
  if (request.given.external)
    return createExternalImage(objectOf(context), request);
  return derived ? createDerivedImage(objectOf(context), request) : createPlainImage(objectOf(context), request);
}

// Creates an image for a function of OpenCL 1.0. These functions return CL_INVALID_IMAGE_SIZE for wrong pitches.
Result<Ref<Memory>> createOldImage(cl_context context, cl_mem_flags flags, const cl_image_format *format,
                                   const cl_image_desc &description, void *host_pointer) {
  auto image = createImage(context, {nullptr, flags, format, &description, host_pointer});
  return image.code() == CL_INVALID_IMAGE_DESCRIPTOR ? Result<Ref<Memory>>(Error{CL_INVALID_IMAGE_SIZE})
                                                     : std::move(image);
}

cl_int supportedFormats(cl_context context, cl_mem_flags flags, cl_mem_object_type type, cl_uint num_entries,
                        cl_image_format *formats, cl_uint *num_formats) {
  if (cl_int code = validate(context))
    return code;
  // CL_INVALID_VALUE if flags or image_type are not valid, or if num_entries is 0 and image_formats is not NULL.
  const bool same_kernel = (flags & CL_MEM_KERNEL_READ_AND_WRITE) != 0;
  if (cl_int code = checkFlags(flags & ~cl_mem_flags(CL_MEM_KERNEL_READ_AND_WRITE)))
    return code;
  if (!isImageType(type) || (num_entries == 0 && formats))
    return CL_INVALID_VALUE;
  std::vector<cl_image_format> supported;
  if (hasFeature("__opencl_c_images"))
    supported = imageFormats(type, same_kernel ? CL_MEM_KERNEL_READ_AND_WRITE : withDefaultAccess(flags) & kFormatUse);
  if (!deviceProfile().lists_planar_always)
    std::erase_if(supported, [&](const cl_image_format &format) { return lacksHostNoAccess(format, flags); });
  if (formats)
    std::copy_n(supported.begin(), std::min<size_t>(num_entries, supported.size()), formats);
  if (num_formats)
    *num_formats = cl_uint(supported.size());
  return CL_SUCCESS;
}

} // namespace
} // namespace lanecl::icd

using namespace lanecl::icd;

CL_API_ENTRY cl_mem CL_API_CALL clCreateImage(cl_context context, cl_mem_flags flags, const cl_image_format *format,
                                              const cl_image_desc *description, void *host_pointer,
                                              cl_int *errcode_ret) {
  return create(errcode_ret, [&] { return createImage(context, {nullptr, flags, format, description, host_pointer}); });
}

CL_API_ENTRY cl_mem CL_API_CALL clCreateImageWithProperties(cl_context context, const cl_mem_properties *properties,
                                                            cl_mem_flags flags, const cl_image_format *format,
                                                            const cl_image_desc *description, void *host_pointer,
                                                            cl_int *errcode_ret) {
  return create(errcode_ret,
                [&] { return createImage(context, {properties, flags, format, description, host_pointer}); });
}

CL_API_ENTRY cl_mem CL_API_CALL clCreateImage2D(cl_context context, cl_mem_flags flags, const cl_image_format *format,
                                                size_t width, size_t height, size_t row_pitch, void *host_pointer,
                                                cl_int *errcode_ret) {
  cl_image_desc description{};
  description.image_type = CL_MEM_OBJECT_IMAGE2D;
  description.image_width = width;
  description.image_height = height;
  description.image_row_pitch = row_pitch;
  return create(errcode_ret, [&] { return createOldImage(context, flags, format, description, host_pointer); });
}

CL_API_ENTRY cl_mem CL_API_CALL clCreateImage3D(cl_context context, cl_mem_flags flags, const cl_image_format *format,
                                                size_t width, size_t height, size_t depth, size_t row_pitch,
                                                size_t slice_pitch, void *host_pointer, cl_int *errcode_ret) {
  cl_image_desc description{};
  description.image_type = CL_MEM_OBJECT_IMAGE3D;
  description.image_width = width;
  description.image_height = height;
  // Here image_depth must be greater than 1. A depth of 0 is refused later.
  description.image_depth = depth > 1 ? depth : 0;
  description.image_row_pitch = row_pitch;
  description.image_slice_pitch = slice_pitch;
  return create(errcode_ret, [&] { return createOldImage(context, flags, format, description, host_pointer); });
}

CL_API_ENTRY cl_int CL_API_CALL clGetSupportedImageFormats(cl_context context, cl_mem_flags flags,
                                                           cl_mem_object_type type, cl_uint num_entries,
                                                           cl_image_format *formats, cl_uint *num_formats) {
  return entry([&] { return supportedFormats(context, flags, type, num_entries, formats, num_formats); });
}
