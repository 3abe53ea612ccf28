// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Creates programs from source, SPIR-V and binaries, and keeps their builds.
#include "program/program.h"

#include "api/entry.h"
#include "device/compiler_use.h"
#include "program/program_binary.h"

#include "frontend/spirv.h"
#include "icd/capabilities.h"
#include "icd/resources.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <set>

#include <unistd.h>

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

BuildState Program::state(const Device &device) const {
  const std::lock_guard lock(mutex_);
  for (const Device *built_for = &device; built_for; built_for = built_for->parent())
    if (const auto found = states_.find(built_for); found != states_.end())
      return found->second;
  return {};
}

std::vector<std::pair<Device *, std::shared_ptr<Executable>>> Program::executables() const {
  std::vector<std::pair<Device *, std::shared_ptr<Executable>>> result;
  for (const Ref<Device> &device : context_->devices())
    if (auto executable = state(*device).executable)
      result.emplace_back(device.get(), std::move(executable));
  return result;
}

std::vector<std::string> Program::kernelNames() const {
  std::vector<std::string> names;
  std::map<std::string, frontend::KernelInfo> known;
  std::set<std::string> different;
  for (const auto &[device, executable] : executables())
    for (const frontend::KernelInfo &kernel : executable->kernels()) {
      const auto [first, is_new] = known.emplace(kernel.name, kernel);
      if (is_new)
        names.push_back(kernel.name);
      else if (!sameDefinition(first->second, kernel))
        different.insert(kernel.name);
    }
  std::erase_if(names, [&](const std::string &name) { return different.contains(name); });
  return names;
}

bool sameDefinition(const frontend::KernelInfo &a, const frontend::KernelInfo &b) {
  const auto alike = [](const frontend::ArgumentInfo &x, const frontend::ArgumentInfo &y) {
    return x.kind == y.kind && x.size == y.size && x.alignment == y.alignment && x.image == y.image &&
           x.access == y.access && x.address == y.address && x.type_name == y.type_name;
  };
  return std::equal(a.arguments.begin(), a.arguments.end(), b.arguments.begin(), b.arguments.end(), alike);
}

cl_int Program::beginBuild(std::span<Device *const> devices, const std::string &options) {
  BuildState running;
  running.status = CL_BUILD_IN_PROGRESS;
  running.options = options;
  const std::lock_guard lock(mutex_);
  // CL_INVALID_OPERATION if the build of a program executable for any of the devices by a previous call has not
  // completed, or if there are kernel objects attached to program.
  if (kernels_.load() != 0)
    return CL_INVALID_OPERATION;
  for (const Device *device : devices)
    if (const auto found = states_.find(device); found != states_.end() && found->second.status == CL_BUILD_IN_PROGRESS)
      return CL_INVALID_OPERATION;
  for (const Device *device : devices)
    states_[device] = running;
  building_process_ = getpid();
  return CL_SUCCESS;
}

void Program::endBuild(std::span<Device *const> devices, const BuildState &state) {
  if (state.executable)
    state.executable->endBefore(callbacks_);
  std::vector<BuildState> old; // declared before the lock, so that old builds are destroyed after it is released
  const std::lock_guard lock(mutex_);
  for (const Device *device : devices)
    old.push_back(std::exchange(states_[device], state));
  build_ended_.notify_all();
}

bool Program::isBuilding() const {
  return std::ranges::any_of(states_, [](const auto &entry) { return entry.second.status == CL_BUILD_IN_PROGRESS; });
}

void Program::awaitBuilds() const {
  std::unique_lock lock(mutex_);
  build_ended_.wait(lock, [this] { return !isBuilding() || building_process_ != getpid(); });
}

void Program::specialize(uint32_t number, std::string value) {
  const std::lock_guard lock(mutex_);
  specializations_[number] = std::move(value);
}

frontend::SpecializationValues Program::specializations() const {
  const std::lock_guard lock(mutex_);
  return specializations_;
}

Result<std::vector<Device *>> readDeviceList(const DeviceList &known, cl_uint num_devices,
                                             const cl_device_id *devices) {
  // CL_INVALID_VALUE if device_list is NULL and num_devices is greater than zero, or if device_list is not NULL and
  // num_devices is zero.
  if ((devices == nullptr) != (num_devices == 0))
    return Error{CL_INVALID_VALUE};
  std::vector<Device *> list;
  for (cl_uint i = 0; i < num_devices; ++i) {
    Device *device = Device::cast(devices[i]);
    // CL_INVALID_DEVICE if any device in device_list is not in the list of devices associated with the context or the
    // program.
    if (!contains(known, device))
      return Error{CL_INVALID_DEVICE};
    if (std::find(list.begin(), list.end(), device) == list.end())
      list.push_back(device);
  }
  if (!devices)
    for (const Ref<Device> &device : known)
      list.push_back(device.get());
  return list;
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

// Reads the state of a program from a binary that LaneCL wrote. If the bytes are no such binary, the reason is passed
// to the context's callback.
cl_int loadBinary(Context &context, const unsigned char *bytes, size_t size, BuildState &state) {
  const std::string_view binary(reinterpret_cast<const char *>(bytes), size);
  std::string error;
  if (readBinary(binary, state.module, state.texts, error))
    return CL_SUCCESS;
  context.report("clCreateProgramWithBinary: " + error);
  // Few programs print more than the error's number, so machine code for a GPU is reported to stderr, too, once a
  // process.
  static std::once_flag told;
  if (isGpuCode(binary) && !context.hasCallback())
    std::call_once(told, [&] { std::fprintf(stderr, "LaneCL: clCreateProgramWithBinary: %s\n", error.c_str()); });
  return CL_INVALID_BINARY;
}

Result<Ref<Program>> createWithBinary(cl_context handle, cl_uint num_devices, const cl_device_id *devices,
                                      const size_t *lengths, const unsigned char **binaries, cl_int *binary_status) {
  if (cl_int code = validate(handle))
    return Error{code};
  Context &context = objectOf(handle);
  // CL_INVALID_VALUE if device_list is NULL or num_devices is zero.
  if (!devices || num_devices == 0)
    return Error{CL_INVALID_VALUE};
  auto listed = readDeviceList(context.devices(), num_devices, devices);
  if (!listed)
    return listed.error();
  // CL_INVALID_VALUE if lengths or binaries is NULL or if any entry in lengths[i] is zero or binaries[i] is NULL.
  if (!lengths || !binaries)
    return Error{CL_INVALID_VALUE};
  DeviceList own;
  for (Device *device : *listed)
    own.emplace_back(*device);
  auto program = make<Program>(context, Program::Origin::Binary, std::move(own));
  cl_int result = CL_SUCCESS;
  for (cl_uint i = 0; i < num_devices; ++i) {
    BuildState state;
    const bool given = lengths[i] != 0 && binaries[i];
    const cl_int status = given ? loadBinary(context, binaries[i], lengths[i], state) : CL_INVALID_VALUE;
    if (binary_status)
      binary_status[i] = status;
    if (status != CL_SUCCESS && result == CL_SUCCESS)
      result = status;
    program->setState(objectOf(devices[i]), state);
  }
  // CL_INVALID_BINARY if an invalid program binary was encountered for any device.
  if (result != CL_SUCCESS)
    return Error{result};
  return program;
}

Result<Ref<Program>> createWithBuiltInKernels(cl_context handle, cl_uint num_devices, const cl_device_id *devices,
                                              const char *names) {
  if (cl_int code = validate(handle))
    return Error{code};
  if (!devices || num_devices == 0 || !names)
    return Error{CL_INVALID_VALUE};
  if (auto list = readDeviceList(objectOf(handle).devices(), num_devices, devices); !list)
    return list.error();
  // CL_INVALID_VALUE if kernel_names contains a kernel name that is not supported by any of the devices: there are no
  // built-in kernels.
  return Error{CL_INVALID_VALUE};
}

// Checks a SPIR-V module. While the process exits nothing is examined, because nothing can be built any more.
static frontend::SpirvVerdict examine(const std::string &module, std::string &reason) {
  const CompilerUse use;
  return use ? frontend::examineSpirv(module, languageTraits({}), reason) : frontend::SpirvVerdict::Good;
}

Result<Ref<Program>> createWithIl(cl_context handle, const void *il, size_t length) {
  if (cl_int code = validate(handle))
    return Error{code};
  // CL_INVALID_OPERATION if no devices in context support intermediate language programs.
  if (!readsSpirv()) {
    objectOf(handle).report("clCreateProgramWithIL: the SPIR-V translator '" + spirvTranslator() +
                            "' cannot be run; install llvm-spirv of LLVM 15, or name it in LANECL_SPIRV_TRANSLATOR");
    return Error{CL_INVALID_OPERATION};
  }
  // CL_INVALID_VALUE if il is NULL or if length is zero.
  if (!il || length == 0)
    return Error{CL_INVALID_VALUE};
  std::string module(static_cast<const char *>(il), length), reason;
  // CL_INVALID_VALUE if the length-byte block of memory pointed to by il does not contain well-formed intermediate
  // language input that can be consumed by the OpenCL runtime.
  const frontend::SpirvVerdict verdict = examine(module, reason);
  if (!reason.empty())
    objectOf(handle).report("clCreateProgramWithIL: " + reason);
  if (verdict == frontend::SpirvVerdict::Invalid)
    return Error{CL_INVALID_VALUE};
  // A capability that the device lacks is an error only of the build, because programs print the build's log.
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

bool hasDestructors(const Program &program) {
  const auto executables = program.executables();
  return std::any_of(executables.begin(), executables.end(),
                     [](const auto &entry) { return entry.second->hasDestructor(); });
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
  return entry([&] {
    const DestructorWait wait;
    return release(program);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clSetProgramReleaseCallback(cl_program program,
                                                            void(CL_CALLBACK *notify)(cl_program, void *),
                                                            void *user_data) {
  return entry([&] {
    if (cl_int code = validate(program))
      return code;
    // CL_INVALID_VALUE if pfn_notify is NULL.
    if (!notify)
      return cl_int(CL_INVALID_VALUE);
    // CL_INVALID_OPERATION if no devices support destructors for program scope global variables. Devices support them
    // for C++ objects, which a program is known to have only when it is built. All other programs get this error, which
    // programs written for OpenCL 3.0 expect.
    if (!hasDestructors(objectOf(program)))
      return cl_int(CL_INVALID_OPERATION);
    objectOf(program).releaseCallbacks().push([=] { notify(program, user_data); });
    return cl_int(CL_SUCCESS);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clSetProgramSpecializationConstant(cl_program program, cl_uint number, size_t size,
                                                                   const void *value) {
  return entry([&] { return setSpecializationConstant(program, number, size, value); });
}
