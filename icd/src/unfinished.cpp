// Entry points of features that the device does not report: images, samplers and pipes. Each returns the code that the
// specification gives for a device without that feature; none pretends to work.
#include "entry.h"
#include "memory_object.h"
#include "queue.h"

namespace lanecl::icd {
namespace {

// CL_INVALID_OPERATION if there are no devices in context that support images (samplers, pipes).
Result<Ref<Memory>> noSuchMemory(cl_context context) {
  const cl_int code = validate(context);
  return Error{code != CL_SUCCESS ? code : CL_INVALID_OPERATION};
}

// A command on images: whatever it is given, it cannot be an image.
cl_int noSuchCommand(cl_command_queue queue) {
  const cl_int code = validate(queue);
  return code != CL_SUCCESS ? code : CL_INVALID_MEM_OBJECT;
}

cl_int supportedFormats(cl_context context, cl_mem_object_type type, cl_uint num_entries, cl_image_format *formats,
                        cl_uint *num_formats) {
  if (cl_int code = validate(context))
    return code;
  // CL_INVALID_VALUE if flags or image_type are not valid, or if num_entries is 0 and image_formats is not NULL.
  if (type < CL_MEM_OBJECT_IMAGE2D || type > CL_MEM_OBJECT_IMAGE1D_BUFFER || (num_entries == 0 && formats))
    return CL_INVALID_VALUE;
  if (num_formats)
    *num_formats = 0;
  return CL_SUCCESS;
}

template <class T> T *refuse(cl_context context, cl_int *errcode_ret) {
  return reinterpret_cast<T *>(create(errcode_ret, [&] { return noSuchMemory(context); }));
}

} // namespace
} // namespace lanecl::icd

using namespace lanecl::icd;

CL_API_ENTRY cl_mem CL_API_CALL clCreateImage(cl_context context, cl_mem_flags, const cl_image_format *,
                                              const cl_image_desc *, void *, cl_int *errcode_ret) {
  return refuse<_cl_mem>(context, errcode_ret);
}

CL_API_ENTRY cl_mem CL_API_CALL clCreateImageWithProperties(cl_context context, const cl_mem_properties *, cl_mem_flags,
                                                            const cl_image_format *, const cl_image_desc *, void *,
                                                            cl_int *errcode_ret) {
  return refuse<_cl_mem>(context, errcode_ret);
}

CL_API_ENTRY cl_mem CL_API_CALL clCreateImage2D(cl_context context, cl_mem_flags, const cl_image_format *, size_t,
                                                size_t, size_t, void *, cl_int *errcode_ret) {
  return refuse<_cl_mem>(context, errcode_ret);
}

CL_API_ENTRY cl_mem CL_API_CALL clCreateImage3D(cl_context context, cl_mem_flags, const cl_image_format *, size_t,
                                                size_t, size_t, size_t, size_t, void *, cl_int *errcode_ret) {
  return refuse<_cl_mem>(context, errcode_ret);
}

CL_API_ENTRY cl_mem CL_API_CALL clCreatePipe(cl_context context, cl_mem_flags, cl_uint, cl_uint,
                                             const cl_pipe_properties *, cl_int *errcode_ret) {
  return refuse<_cl_mem>(context, errcode_ret);
}

CL_API_ENTRY cl_sampler CL_API_CALL clCreateSampler(cl_context context, cl_bool, cl_addressing_mode, cl_filter_mode,
                                                    cl_int *errcode_ret) {
  return refuse<_cl_sampler>(context, errcode_ret);
}

CL_API_ENTRY cl_sampler CL_API_CALL clCreateSamplerWithProperties(cl_context context, const cl_sampler_properties *,
                                                                  cl_int *errcode_ret) {
  return refuse<_cl_sampler>(context, errcode_ret);
}

CL_API_ENTRY cl_int CL_API_CALL clGetSupportedImageFormats(cl_context context, cl_mem_flags, cl_mem_object_type type,
                                                           cl_uint num_entries, cl_image_format *formats,
                                                           cl_uint *num_formats) {
  return entry([&] { return supportedFormats(context, type, num_entries, formats, num_formats); });
}

// No image, sampler or pipe exists, so no handle of one is valid.
CL_API_ENTRY cl_int CL_API_CALL clGetImageInfo(cl_mem, cl_image_info, size_t, void *, size_t *) {
  return CL_INVALID_MEM_OBJECT;
}
CL_API_ENTRY cl_int CL_API_CALL clGetPipeInfo(cl_mem, cl_pipe_info, size_t, void *, size_t *) {
  return CL_INVALID_MEM_OBJECT;
}
CL_API_ENTRY cl_int CL_API_CALL clRetainSampler(cl_sampler) {
  return CL_INVALID_SAMPLER;
}
CL_API_ENTRY cl_int CL_API_CALL clReleaseSampler(cl_sampler) {
  return CL_INVALID_SAMPLER;
}
CL_API_ENTRY cl_int CL_API_CALL clGetSamplerInfo(cl_sampler, cl_sampler_info, size_t, void *, size_t *) {
  return CL_INVALID_SAMPLER;
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueReadImage(cl_command_queue queue, cl_mem, cl_bool, const size_t *,
                                                   const size_t *, size_t, size_t, void *, cl_uint, const cl_event *,
                                                   cl_event *) {
  return entry([&] { return noSuchCommand(queue); });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueWriteImage(cl_command_queue queue, cl_mem, cl_bool, const size_t *,
                                                    const size_t *, size_t, size_t, const void *, cl_uint,
                                                    const cl_event *, cl_event *) {
  return entry([&] { return noSuchCommand(queue); });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueFillImage(cl_command_queue queue, cl_mem, const void *, const size_t *,
                                                   const size_t *, cl_uint, const cl_event *, cl_event *) {
  return entry([&] { return noSuchCommand(queue); });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueCopyImage(cl_command_queue queue, cl_mem, cl_mem, const size_t *,
                                                   const size_t *, const size_t *, cl_uint, const cl_event *,
                                                   cl_event *) {
  return entry([&] { return noSuchCommand(queue); });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueCopyImageToBuffer(cl_command_queue queue, cl_mem, cl_mem, const size_t *,
                                                           const size_t *, size_t, cl_uint, const cl_event *,
                                                           cl_event *) {
  return entry([&] { return noSuchCommand(queue); });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueCopyBufferToImage(cl_command_queue queue, cl_mem, cl_mem, size_t,
                                                           const size_t *, const size_t *, cl_uint, const cl_event *,
                                                           cl_event *) {
  return entry([&] { return noSuchCommand(queue); });
}

CL_API_ENTRY void *CL_API_CALL clEnqueueMapImage(cl_command_queue queue, cl_mem, cl_bool, cl_map_flags, const size_t *,
                                                 const size_t *, size_t *, size_t *, cl_uint, const cl_event *,
                                                 cl_event *, cl_int *errcode_ret) {
  return create(errcode_ret, [&]() -> Result<void *> { return Error{noSuchCommand(queue)}; });
}
