// clGetProgramInfo and clGetProgramBuildInfo.
#include "entry.h"
#include "info.h"
#include "program.h"

namespace lanecl::icd {
namespace {

std::string kernelNames(const Executable &executable) {
  std::string names;
  for (const frontend::KernelInfo &kernel : executable.kernels())
    names += (names.empty() ? "" : ";") + kernel.name;
  return names;
}

// CL_PROGRAM_BINARIES: the application passes an array of pointers, one per device, to buffers of its own.
cl_int copyBinary(const frontend::Module &module, const InfoWriter &info) {
  if (info.target()) {
    if (info.size() < sizeof(unsigned char *))
      return CL_INVALID_VALUE;
    unsigned char *target = *static_cast<unsigned char **>(info.target());
    // A NULL entry skips that device's binary.
    if (target && module) {
      const std::string binary = frontend::Frontend::serialize(module);
      std::memcpy(target, binary.data(), binary.size());
    }
  }
  return InfoWriter(0, nullptr, info.sizeOut()).value<unsigned char *>(nullptr);
}

cl_int executableInfo(const BuildState &state, cl_program_info name, const InfoWriter &info) {
  // CL_INVALID_PROGRAM_EXECUTABLE if a successful program executable has not been built.
  if (!state.executable)
    return CL_INVALID_PROGRAM_EXECUTABLE;
  switch (name) {
  case CL_PROGRAM_NUM_KERNELS: return info.value<size_t>(state.executable->kernels().size());
  case CL_PROGRAM_KERNEL_NAMES: return info.text(kernelNames(*state.executable));
  default: return info.value<cl_bool>(CL_FALSE); // no program-scope constructors or destructors
  }
}

cl_int programInfo(cl_program handle, cl_program_info name, const InfoWriter &info) {
  if (cl_int code = validate(handle))
    return code;
  Program &program = objectOf(handle);
  switch (name) {
  case CL_PROGRAM_REFERENCE_COUNT: return info.value<cl_uint>(program.applicationReferences());
  case CL_PROGRAM_CONTEXT: return info.value<cl_context>(program.context().handle());
  case CL_PROGRAM_NUM_DEVICES: return info.value<cl_uint>(1);
  case CL_PROGRAM_DEVICES: return info.value<cl_device_id>(program.context().device().handle());
  case CL_PROGRAM_SOURCE: return info.text(program.source());
  case CL_PROGRAM_IL: return info.bytes(program.il().data(), program.il().size());
  case CL_PROGRAM_BINARY_SIZES: {
    const frontend::Module module = program.state().module;
    return info.value<size_t>(module ? frontend::Frontend::serialize(module).size() : 0);
  }
  case CL_PROGRAM_BINARIES: return copyBinary(program.state().module, info);
  case CL_PROGRAM_NUM_KERNELS:
  case CL_PROGRAM_KERNEL_NAMES:
  case CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT:
  case CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT: return executableInfo(program.state(), name, info);
  default: return CL_INVALID_VALUE;
  }
}

cl_int buildInfo(cl_program handle, cl_device_id device, cl_program_build_info name, const InfoWriter &info) {
  if (cl_int code = validate(handle))
    return code;
  // CL_INVALID_DEVICE if device is not in the list of devices associated with program.
  if (Device::cast(device) != &objectOf(handle).context().device())
    return CL_INVALID_DEVICE;
  const BuildState state = objectOf(handle).state();
  switch (name) {
  case CL_PROGRAM_BUILD_STATUS: return info.value<cl_build_status>(state.status);
  case CL_PROGRAM_BUILD_OPTIONS: return info.text(state.options);
  case CL_PROGRAM_BUILD_LOG: return info.text(state.log);
  case CL_PROGRAM_BINARY_TYPE: return info.value<cl_program_binary_type>(state.binaryType());
  case CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE:
    return info.value<size_t>(state.executable ? state.executable->variableBytes() : 0);
  default: return CL_INVALID_VALUE;
  }
}

} // namespace
} // namespace lanecl::icd

using namespace lanecl::icd;

CL_API_ENTRY cl_int CL_API_CALL clGetProgramInfo(cl_program program, cl_program_info param_name, size_t size,
                                                 void *value, size_t *size_ret) {
  return entry([&] { return programInfo(program, param_name, InfoWriter(size, value, size_ret)); });
}

CL_API_ENTRY cl_int CL_API_CALL clGetProgramBuildInfo(cl_program program, cl_device_id device,
                                                      cl_program_build_info param_name, size_t size, void *value,
                                                      size_t *size_ret) {
  return entry([&] { return buildInfo(program, device, param_name, InfoWriter(size, value, size_ret)); });
}
