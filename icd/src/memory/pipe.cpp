// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Creates and queries pipes (OpenCL 3.0, section 5.4). The pipe itself is vectorizer/contract/pipe.h.
#include "api/entry.h"
#include "api/info.h"
#include "device/device_limits.h"
#include "icd/capabilities.h"
#include "memory/memory_object.h"

namespace lanecl::icd {
namespace {

Result<Ref<Memory>> createPipe(cl_context context, cl_mem_flags flags, cl_uint packet_bytes, cl_uint max_packets,
                               const cl_pipe_properties *properties) {
  if (cl_int code = validate(context))
    return Error{code};
  // CL_INVALID_OPERATION if no devices in context support pipes.
  if (!hasFeature("__opencl_c_pipes"))
    return Error{CL_INVALID_OPERATION};
  // CL_INVALID_VALUE if values specified in flags are not as defined: only CL_MEM_READ_WRITE and CL_MEM_HOST_NO_ACCESS
  // can be specified, which are the default.
  constexpr cl_mem_flags kDefault = CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS;
  if ((flags & ~kDefault) != 0)
    return Error{CL_INVALID_VALUE};
  // CL_INVALID_VALUE if properties is not NULL.
  if (properties)
    return Error{CL_INVALID_VALUE};
  // CL_INVALID_PIPE_SIZE if pipe_packet_size is 0 or exceeds CL_DEVICE_PIPE_MAX_PACKET_SIZE or if pipe_max_packets is
  // 0.
  if (packet_bytes == 0 || packet_bytes > kMaxPipePacketBytes || max_packets == 0)
    return Error{CL_INVALID_PIPE_SIZE};
  return Memory::createPipe(objectOf(context), flags == 0 ? kDefault : flags, packet_bytes, max_packets);
}

cl_int pipeInfo(cl_mem handle, cl_pipe_info name, const InfoWriter &info) {
  if (cl_int code = validate(handle))
    return code;
  const abi::Pipe *pipe = objectOf(handle).pipe();
  // CL_INVALID_MEM_OBJECT if pipe is not a valid pipe object.
  if (!pipe)
    return CL_INVALID_MEM_OBJECT;
  switch (name) {
  case CL_PIPE_PACKET_SIZE: return info.value<cl_uint>(cl_uint(pipe->packet_bytes));
  case CL_PIPE_MAX_PACKETS: return info.value<cl_uint>(cl_uint(pipe->max_packets));
  case CL_PIPE_PROPERTIES: return info.list<cl_pipe_properties>({}); // no properties can be given
  default: return CL_INVALID_VALUE;
  }
}

} // namespace
} // namespace lanecl::icd

using namespace lanecl::icd;

CL_API_ENTRY cl_mem CL_API_CALL clCreatePipe(cl_context context, cl_mem_flags flags, cl_uint packet_bytes,
                                             cl_uint max_packets, const cl_pipe_properties *properties,
                                             cl_int *errcode_ret) {
  return create(errcode_ret, [&] { return createPipe(context, flags, packet_bytes, max_packets, properties); });
}

CL_API_ENTRY cl_int CL_API_CALL clGetPipeInfo(cl_mem pipe, cl_pipe_info param_name, size_t size, void *value,
                                              size_t *size_ret) {
  return entry([&] { return pipeInfo(pipe, param_name, InfoWriter(size, value, size_ret)); }, param_name);
}
