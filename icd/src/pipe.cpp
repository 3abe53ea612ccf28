// Pipes, which the device does not report: each entry point returns the code that the specification gives for a device
// without them.
#include "entry.h"
#include "memory_object.h"

namespace lanecl::icd {
namespace {

// CL_INVALID_OPERATION if no devices in context support pipes.
Result<Ref<Memory>> noSuchMemory(cl_context context) {
  const cl_int code = validate(context);
  return Error{code != CL_SUCCESS ? code : CL_INVALID_OPERATION};
}

} // namespace
} // namespace lanecl::icd

using namespace lanecl::icd;

CL_API_ENTRY cl_mem CL_API_CALL clCreatePipe(cl_context context, cl_mem_flags, cl_uint, cl_uint,
                                             const cl_pipe_properties *, cl_int *errcode_ret) {
  return create(errcode_ret, [&] { return noSuchMemory(context); });
}

// No pipe exists, so no handle of one is valid.
CL_API_ENTRY cl_int CL_API_CALL clGetPipeInfo(cl_mem, cl_pipe_info, size_t, void *, size_t *) {
  return CL_INVALID_MEM_OBJECT;
}
