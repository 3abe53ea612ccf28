// Creating programs, from source, SPIR-V and binaries.
#include "program.h"

#include "entry.h"

#include "frontend/spirv.h"
#include "icd/capabilities.h"

#include <cstring>

namespace lanecl::icd {

const std::string Program::kNone;

cl_program_binary_type BuildState::binaryType() const {
  if (!module)
    return CL_PROGRAM_BINARY_TYPE_NONE;
  switch (module.kind) {
  case frontend::ModuleKind::Object: return CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT;
  case frontend::ModuleKind::Library: return CL_PROGRAM_BINARY_TYPE_LIBRARY;
  case frontend::ModuleKind::Executable: return CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
  }
  return CL_PROGRAM_BINARY_TYPE_NONE;
}

BuildState Program::state() const {
  const std::lock_guard lock(mutex_);
  return state_;
}

cl_int Program::beginBuild(const std::string &options, BuildState &previous) {
  BuildState running;
  running.status = CL_BUILD_IN_PROGRESS;
  running.options = options;
  const std::lock_guard lock(mutex_);
  // CL_INVALID_OPERATION if the build of a program executable by a previous call has not completed, or if there are
  // kernel objects attached to program.
  if (state_.status == CL_BUILD_IN_PROGRESS || kernels_.load() != 0)
    return CL_INVALID_OPERATION;
  previous = std::exchange(state_, std::move(running));
  return CL_SUCCESS;
}

void Program::endBuild(BuildState state) {
  const std::lock_guard lock(mutex_);
  std::swap(state_, state);
}

void Program::specialize(uint32_t number, std::string value) {
  const std::lock_guard lock(mutex_);
  specializations_[number] = std::move(value);
}

frontend::SpecializationValues Program::specializations() const {
  const std::lock_guard lock(mutex_);
  return specializations_;
}

cl_int checkDeviceList(const Context &context, cl_uint num_devices, const cl_device_id *devices) {
  // CL_INVALID_VALUE if device_list is NULL and num_devices is greater than zero, or if device_list is not NULL and
  // num_devices is zero.
  if ((devices == nullptr) != (num_devices == 0))
    return CL_INVALID_VALUE;
  // CL_INVALID_DEVICE if any device in device_list is not in the list of devices associated with the context.
  for (cl_uint i = 0; i < num_devices; ++i)
    if (Device::cast(devices[i]) != &context.device())
      return CL_INVALID_DEVICE;
  return CL_SUCCESS;
}

namespace {

Result<Ref<Program>> createWithSource(cl_context context, cl_uint count, const char **strings, const size_t *lengths) {
  if (cl_int code = validate(context))
    return Error{code};
  // CL_INVALID_VALUE if count is zero or if strings or any entry in strings is NULL.
  if (count == 0 || !strings)
    return Error{CL_INVALID_VALUE};
  std::string source;
  for (cl_uint i = 0; i < count; ++i) {
    if (!strings[i])
      return Error{CL_INVALID_VALUE};
    // If an element in lengths is zero, its accompanying string is null-terminated.
    if (lengths && lengths[i] != 0)
      source.append(strings[i], lengths[i]);
    else
      source.append(strings[i]);
  }
  return make<Program>(objectOf(context), Program::Origin::Source, std::move(source));
}

// The state of a program that is loaded from a binary of ours.
cl_int loadBinary(const unsigned char *bytes, size_t size, BuildState &state) {
  std::string error;
  const std::string_view binary(reinterpret_cast<const char *>(bytes), size);
  if (!frontend::Frontend::deserialize(binary, state.module, error))
    return CL_INVALID_BINARY;
  return CL_SUCCESS;
}

Result<Ref<Program>> createWithBinary(cl_context handle, cl_uint num_devices, const cl_device_id *devices,
                                      const size_t *lengths, const unsigned char **binaries, cl_int *binary_status) {
  if (cl_int code = validate(handle))
    return Error{code};
  Context &context = objectOf(handle);
  // CL_INVALID_VALUE if device_list is NULL or num_devices is zero.
  if (!devices || num_devices == 0)
    return Error{CL_INVALID_VALUE};
  if (cl_int code = checkDeviceList(context, num_devices, devices))
    return Error{code};
  // CL_INVALID_VALUE if lengths or binaries is NULL or if any entry in lengths[i] is zero or binaries[i] is NULL.
  if (!lengths || !binaries)
    return Error{CL_INVALID_VALUE};
  cl_int result = CL_SUCCESS;
  BuildState state;
  for (cl_uint i = 0; i < num_devices; ++i) {
    const bool given = lengths[i] != 0 && binaries[i];
    const cl_int status = given ? loadBinary(binaries[i], lengths[i], state) : CL_INVALID_VALUE;
    if (binary_status)
      binary_status[i] = status;
    if (status != CL_SUCCESS && result == CL_SUCCESS)
      result = status;
  }
  // CL_INVALID_BINARY if an invalid program binary was encountered for any device.
  if (result != CL_SUCCESS)
    return Error{result};
  auto program = make<Program>(context, Program::Origin::Binary);
  program->setState(std::move(state));
  return program;
}

Result<Ref<Program>> createWithBuiltInKernels(cl_context handle, cl_uint num_devices, const cl_device_id *devices,
                                              const char *names) {
  if (cl_int code = validate(handle))
    return Error{code};
  if (!devices || num_devices == 0 || !names)
    return Error{CL_INVALID_VALUE};
  if (cl_int code = checkDeviceList(objectOf(handle), num_devices, devices))
    return Error{code};
  // CL_INVALID_VALUE if kernel_names contains a kernel name that is not supported by any of the devices: there are no
  // built-in kernels.
  return Error{CL_INVALID_VALUE};
}

Result<Ref<Program>> createWithIl(cl_context handle, const void *il, size_t length) {
  if (cl_int code = validate(handle))
    return Error{code};
  // CL_INVALID_VALUE if il is NULL or if length is zero.
  if (!il || length == 0)
    return Error{CL_INVALID_VALUE};
  std::string module(static_cast<const char *>(il), length), reason;
  // CL_INVALID_VALUE if the length-byte block of memory pointed to by il does not contain well-formed intermediate
  // language input that can be consumed by the OpenCL runtime.
  if (!frontend::acceptSpirv(module, languageTraits({}), reason)) {
    objectOf(handle).report("clCreateProgramWithIL: " + reason);
    return Error{CL_INVALID_VALUE};
  }
  return make<Program>(objectOf(handle), Program::Origin::Il, std::move(module));
}

cl_int setSpecializationConstant(cl_program handle, cl_uint number, size_t size, const void *value) {
  if (cl_int code = validate(handle))
    return code;
  Program &program = objectOf(handle);
  // CL_INVALID_PROGRAM if program is not a valid program object created from an intermediate language.
  if (program.origin() != Program::Origin::Il)
    return CL_INVALID_PROGRAM;
  // CL_INVALID_SPEC_ID if spec_id is not a valid specialization constant identifier.
  const auto expected = frontend::specializationSize(program.il(), number);
  if (!expected)
    return CL_INVALID_SPEC_ID;
  // CL_INVALID_VALUE if spec_size does not match the size of the specialization constant in the module, or if
  // spec_value is NULL.
  if (size != *expected || !value)
    return CL_INVALID_VALUE;
  program.specialize(number, std::string(static_cast<const char *>(value), size));
  return CL_SUCCESS;
}

} // namespace
} // namespace lanecl::icd

using namespace lanecl::icd;

CL_API_ENTRY cl_program CL_API_CALL clCreateProgramWithSource(cl_context context, cl_uint count, const char **strings,
                                                              const size_t *lengths, cl_int *errcode_ret) {
  return create(errcode_ret, [&] { return createWithSource(context, count, strings, lengths); });
}

CL_API_ENTRY cl_program CL_API_CALL clCreateProgramWithBinary(cl_context context, cl_uint num_devices,
                                                              const cl_device_id *devices, const size_t *lengths,
                                                              const unsigned char **binaries, cl_int *binary_status,
                                                              cl_int *errcode_ret) {
  return create(errcode_ret,
                [&] { return createWithBinary(context, num_devices, devices, lengths, binaries, binary_status); });
}

CL_API_ENTRY cl_program CL_API_CALL clCreateProgramWithBuiltInKernels(cl_context context, cl_uint num_devices,
                                                                      const cl_device_id *devices, const char *names,
                                                                      cl_int *errcode_ret) {
  return create(errcode_ret, [&] { return createWithBuiltInKernels(context, num_devices, devices, names); });
}

CL_API_ENTRY cl_program CL_API_CALL clCreateProgramWithIL(cl_context context, const void *il, size_t length,
                                                          cl_int *errcode_ret) {
  return create(errcode_ret, [&] { return createWithIl(context, il, length); });
}

CL_API_ENTRY cl_program CL_API_CALL clCreateProgramWithILKHR(cl_context context, const void *il, size_t length,
                                                             cl_int *errcode_ret) {
  return create(errcode_ret, [&] { return createWithIl(context, il, length); });
}

CL_API_ENTRY cl_int CL_API_CALL clRetainProgram(cl_program program) {
  return entry([&] { return retain(program); });
}

CL_API_ENTRY cl_int CL_API_CALL clReleaseProgram(cl_program program) {
  return entry([&] { return release(program); });
}

CL_API_ENTRY cl_int CL_API_CALL clSetProgramReleaseCallback(cl_program program, void(CL_CALLBACK *)(cl_program, void *),
                                                            void *) {
  return entry([&] {
    if (cl_int code = validate(program))
      return code;
    // CL_INVALID_OPERATION if no devices support destructors for program scope global variables.
    return cl_int(CL_INVALID_OPERATION);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clSetProgramSpecializationConstant(cl_program program, cl_uint number, size_t size,
                                                                   const void *value) {
  return entry([&] { return setSpecializationConstant(program, number, size, value); });
}
