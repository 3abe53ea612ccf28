// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Answers clGetProgramInfo and clGetProgramBuildInfo.
#include "api/entry.h"
#include "api/info.h"
#include "program/program.h"
#include "program/program_binary.h"

namespace lanecl::icd {
namespace {

std::string joined(const std::vector<std::string> &names) {
  std::string text;
  for (const std::string &name : names)
    text += (text.empty() ? "" : ";") + name;
  return text;
}

std::vector<size_t> binarySizes(const Program &program) {
  std::vector<size_t> sizes;
  for (const Ref<Device> &device : program.devices()) {
    const BuildState state = program.state(*device);
    sizes.push_back(state.module ? binaryOf(state.module, state.texts).size() : 0);
  }
  return sizes;
}

// Answers CL_PROGRAM_BINARIES. The application passes an array of pointers, one for each device, to buffers of its own.
cl_int copyBinaries(const Program &program, const InfoWriter &info) {
  const size_t count = program.devices().size();
  if (info.target()) {
    if (info.size() < count * sizeof(unsigned char *))
      return CL_INVALID_VALUE;
    for (size_t i = 0; i < count; ++i) {
      unsigned char *target = static_cast<unsigned char **>(info.target())[i];
      const BuildState state = program.state(*program.devices()[i]);
      // A NULL entry skips that device's binary.
      if (!target || !state.module)
        continue;
      const std::string binary = binaryOf(state.module, state.texts);
      std::memcpy(target, binary.data(), binary.size());
    }
  }
  return InfoWriter(0, nullptr, info.sizeOut()).list<unsigned char *>(std::vector<unsigned char *>(count));
}

cl_bool anyExecutable(const Program &program, bool (Executable::*has)() const) {
  for (const auto &[device, executable] : program.executables())
    if ((*executable.*has)())
      return CL_TRUE;
  return CL_FALSE;
}

// Answers the queries that need a built program.
cl_int executableInfo(const Program &program, cl_program_info name, const InfoWriter &info) {
  program.awaitBuilds();
  // CL_INVALID_PROGRAM_EXECUTABLE if a successful program executable has not been built for at least one device.
  if (program.executables().empty())
    return CL_INVALID_PROGRAM_EXECUTABLE;
  switch (name) {
  case CL_PROGRAM_NUM_KERNELS: return info.value<size_t>(program.kernelNames().size());
  case CL_PROGRAM_KERNEL_NAMES: return info.text(joined(program.kernelNames()));
  case CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT:
    return info.value<cl_bool>(anyExecutable(program, &Executable::hasConstructor));
  default: return info.value<cl_bool>(anyExecutable(program, &Executable::hasDestructor));
  }
}

cl_int programInfo(cl_program handle, cl_program_info name, const InfoWriter &info) {
  if (cl_int code = validate(handle))
    return code;
  Program &program = objectOf(handle);
  switch (name) {
  case CL_PROGRAM_REFERENCE_COUNT: return info.value<cl_uint>(program.applicationReferences());
  case CL_PROGRAM_CONTEXT: return info.value<cl_context>(program.context().handle());
  case CL_PROGRAM_NUM_DEVICES: return info.value<cl_uint>(cl_uint(program.devices().size()));
  case CL_PROGRAM_DEVICES: return info.list<cl_device_id>(handlesOf(program.devices()));
  case CL_PROGRAM_SOURCE: return info.text(program.source());
  case CL_PROGRAM_IL: return info.bytes(program.il().data(), program.il().size());
  case CL_PROGRAM_BINARY_SIZES: return info.list<size_t>(binarySizes(program));
  case CL_PROGRAM_BINARIES: return copyBinaries(program, info);
  case CL_PROGRAM_NUM_KERNELS:
  case CL_PROGRAM_KERNEL_NAMES:
  case CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT:
  case CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT: return executableInfo(program, name, info);
  default: return CL_INVALID_VALUE;
  }
}

cl_int buildInfo(cl_program handle, cl_device_id device, cl_program_build_info name, const InfoWriter &info) {
  if (cl_int code = validate(handle))
    return code;
  // CL_INVALID_DEVICE if device is not in the list of devices associated with program.
  if (!contains(objectOf(handle).devices(), Device::cast(device)))
    return CL_INVALID_DEVICE;
  const BuildState state = objectOf(handle).state(objectOf(device));
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
  return entry([&] { return programInfo(program, param_name, InfoWriter(size, value, size_ret)); }, param_name);
}

CL_API_ENTRY cl_int CL_API_CALL clGetProgramBuildInfo(cl_program program, cl_device_id device,
                                                      cl_program_build_info param_name, size_t size, void *value,
                                                      size_t *size_ret) {
  return entry([&] { return buildInfo(program, device, param_name, InfoWriter(size, value, size_ret)); }, param_name);
}
