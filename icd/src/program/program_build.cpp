// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// clBuildProgram, clCompileProgram and clLinkProgram.
#include "api/entry.h"
#include "check/check_mode.h"
#include "check/host/api_checks.h"
#include "device/compiler_use.h"
#include "frontend/spirv.h"
#include "icd/counted.h"
#include "icd/profile.h"
#include "program/background.h"
#include "program/program.h"

#include <algorithm>

namespace lanecl::icd {
namespace {

using Notify = void(CL_CALLBACK *)(cl_program, void *);

// The error codes with which the three functions report the same failures.
struct Codes {
  cl_int failure, invalid_options;
};
constexpr Codes kBuild{CL_BUILD_PROGRAM_FAILURE, CL_INVALID_BUILD_OPTIONS};
constexpr Codes kCompile{CL_COMPILE_PROGRAM_FAILURE, CL_INVALID_COMPILER_OPTIONS};
constexpr Codes kLink{CL_LINK_PROGRAM_FAILURE, CL_INVALID_LINKER_OPTIONS};

// The state that a build leaves, and the code that the entry point returns.
struct Outcome {
  BuildState state;
  cl_int code = CL_SUCCESS;
};

// Devices that get the same build. The compiler treats all devices alike, so builds differ only by their inputs.
struct Target {
  std::vector<Device *> devices;
  std::vector<frontend::Module> modules; // the inputs, unless the program is built from its source
  ProgramTexts texts{};                  // see BuildState
};
using Targets = std::vector<Target>;

// Returns the outcome of a build that failed.
Outcome failed(const std::string &options, std::string log, cl_int code) {
  Outcome outcome;
  outcome.state.status = CL_BUILD_ERROR;
  outcome.state.options = options;
  outcome.state.log = std::move(log);
  outcome.code = code;
  return outcome;
}

// Returns an error for the first kernel that has more local memory than the device, if the profile's device refuses
// such programs when they are built. Otherwise returns an empty string.
std::string excessOfLocal(const Executable &executable) {
  if (deviceProfile().checks_local_in_build)
    for (const frontend::KernelInfo &kernel : executable.kernels())
      if (kernel.local_bytes > deviceProfile().local_bytes)
        return "error: kernel " + kernel.name + " needs " + counted(kernel.local_bytes, "byte") +
               " of local memory, but the device has only " + std::to_string(deviceProfile().local_bytes) + "\n";
  return {};
}

// Turns the compiler's output into an outcome. An executable module is checked and gets its Executable here.
Outcome finish(const Context &context, const Target &target, const Codes &codes, const std::string &options,
               frontend::CompileOutput output) {
  if (output.status != frontend::Status::Success)
    return failed(options, std::move(output.log),
                  output.status == frontend::Status::InvalidOptions ? codes.invalid_options : codes.failure);
  Outcome outcome;
  outcome.state.status = CL_BUILD_SUCCESS;
  outcome.state.options = options;
  outcome.state.log = std::move(output.log);
  outcome.state.module = std::move(output.module);
  outcome.state.texts = target.texts;
  if (outcome.state.module.kind != frontend::ModuleKind::Executable)
    return outcome;
  std::string error;
  auto executable = Executable::create(outcome.state.module, target.texts, target.devices, error);
  if (!executable)
    return failed(options, outcome.state.log + error, codes.failure);
  if (error = excessOfLocal(*executable); !error.empty())
    return failed(options, outcome.state.log + error, CL_OUT_OF_RESOURCES);
  // Kernels are checked now, so that their errors are in the build's log. Code is made when a kernel is launched.
  if (error = executable->check(context.reporter()); !error.empty())
    return failed(options, outcome.state.log + error, codes.failure);
  outcome.state.executable = std::move(executable);
  return outcome;
}

// Runs `job` for each target: before this function returns, or in the background when there is a callback. No lock is
// held meanwhile.
template <class Job>
cl_int perform(Program &program, const std::string &options, const Targets &targets, Notify notify, void *user_data,
               Job job) {
  startCheckMode();
  const auto run = [=, program = Ref<Program>(program)] {
    cl_int result = CL_SUCCESS;
    for (const Target &target : targets) {
      Outcome outcome;
      const cl_int trouble = codeOf([&] {
        outcome = job(target);
        return cl_int(CL_SUCCESS);
      });
      if (trouble != CL_SUCCESS)
        outcome = failed(options, {}, trouble);
      if (result == CL_SUCCESS)
        result = outcome.code;
      if (outcome.code == CL_SUCCESS)
        checkBuildLog(&target.texts, outcome.state.log);
      program->endBuild(target.devices, outcome.state);
    }
    if (notify)
      notify(program->handle(), user_data);
    return result;
  };
  if (!notify)
    return run();
  // If no thread can be started, the build runs before the call returns.
  if (!runInBackground(run))
    run();
  return CL_SUCCESS;
}

// Reads the arguments that the three functions check alike before they touch the program. `known` are the devices that
// may be listed. CL_INVALID_VALUE if pfn_notify is NULL but user_data is not NULL.
Result<std::vector<Device *>> readBuildArguments(const DeviceList &known, cl_uint num_devices,
                                                 const cl_device_id *devices, Notify notify, void *user_data) {
  auto list = readDeviceList(known, num_devices, devices);
  if (list && !notify && user_data)
    return Error{CL_INVALID_VALUE};
  return list;
}

Outcome buildBinary(const Context &context, const Target &target, frontend::Frontend &frontend,
                    const std::string &options) {
  // CL_INVALID_BINARY if program is created with clCreateProgramWithBinary and devices listed in device_list do not
  // have a valid program binary loaded.
  const frontend::Module &module = target.modules.front();
  if (!module)
    return failed(options, {}, CL_INVALID_BINARY);
  frontend::CompileOutput output;
  if (module.kind == frontend::ModuleKind::Object) {
    output = frontend.link({module}, "");
  } else {
    output.status = frontend::Status::Success;
    output.module = module;
  }
  Outcome outcome = finish(context, target, kBuild, options, std::move(output));
  if (!outcome.state.module) { // the binary stays loaded, so that the build can be repeated
    outcome.state.module = module;
    outcome.state.texts = target.texts;
  }
  return outcome;
}

// Adds the device to the target that has the same inputs, or to a new one.
void addTarget(Targets &targets, Device &device, std::vector<frontend::Module> modules, const ProgramTexts &texts) {
  const auto same = [](const frontend::Module &a, const frontend::Module &b) { return a.bitcode == b.bitcode; };
  for (Target &target : targets)
    if (std::equal(modules.begin(), modules.end(), target.modules.begin(), target.modules.end(), same))
      return target.devices.push_back(&device);
  targets.push_back({{&device}, std::move(modules), texts});
}

// Returns the texts that findings may show lines of: the source or the disassembled SPIR-V, and the headers.
ProgramTexts textsOf(const Program &program, const std::vector<frontend::Header> &headers) {
  ProgramTexts texts;
  if (!isCheckMode())
    return texts;
  const auto add = [&](const std::string &name, const std::string &text) {
    if (!text.empty())
      texts.push_back(std::make_shared<const ProgramText>(ProgramText{name, text}));
  };
  add("program.cl", program.source()); // the front-end gives the source this name
  add(frontend::kSpirvTextName, frontend::textOfSpirv(program.il()));
  for (const frontend::Header &header : headers)
    add(header.name, header.source);
  return texts;
}

// Begins a build of `program` and calls `job` for each target, with the frontend. `unavailable` is the error code when
// the frontend's files are missing, or when the process is exiting.
template <class Job>
cl_int start(Program &program, const char *option_text, const Targets &targets, cl_int unavailable, Notify notify,
             void *user_data, Job job) {
  const std::string options = option_text ? option_text : "";
  std::vector<Device *> all;
  for (const Target &target : targets)
    all.insert(all.end(), target.devices.begin(), target.devices.end());
  if (cl_int code = program.beginBuild(all, options))
    return code;
  return perform(program, options, targets, notify, user_data, [=](const Target &target) {
    const CompilerUse use;
    if (!use)
      return failed(options, CompilerUse::kRefused, unavailable);
    std::string error;
    frontend::Frontend *frontend = Device::frontend(error);
    return frontend ? job(target, *frontend, options) : failed(options, error, unavailable);
  });
}

// Returns the targets of a build. Programs from binaries may have a different module for each device.
Targets targetsOf(const Program &program, const std::vector<Device *> &devices) {
  if (program.origin() != Program::Origin::Binary)
    return {{devices, {}, textsOf(program, {})}};
  Targets targets;
  for (Device *device : devices) {
    const BuildState state = program.state(*device);
    addTarget(targets, *device, {state.module}, state.texts);
  }
  return targets;
}

cl_int buildProgram(cl_program handle, cl_uint num_devices, const cl_device_id *devices, const char *option_text,
                    Notify notify, void *user_data) {
  if (cl_int code = validate(handle))
    return code;
  Program &program = objectOf(handle);
  auto list = readBuildArguments(program.devices(), num_devices, devices, notify, user_data);
  if (!list)
    return list.code();
  // CL_INVALID_OPERATION if program was not created with clCreateProgramWithSource, clCreateProgramWithIL or
  // clCreateProgramWithBinary.
  if (program.origin() == Program::Origin::Link)
    return CL_INVALID_OPERATION;
  // A build in the background uses the values that the specialization constants have now.
  const frontend::SpecializationValues values = program.specializations();
  // CL_COMPILER_NOT_AVAILABLE if a compiler is not available.
  return start(program, option_text, targetsOf(program, *list), CL_COMPILER_NOT_AVAILABLE, notify, user_data,
               [&program, values](const Target &target, frontend::Frontend &frontend, const std::string &options) {
                 if (program.origin() == Program::Origin::Source)
                   return finish(program.context(), target, kBuild, options, frontend.build(program.source(), options));
                 if (program.origin() == Program::Origin::Il)
                   return finish(program.context(), target, kBuild, options,
                                 frontend.buildSpirv(program.il(), options, values));
                 return buildBinary(program.context(), target, frontend, options);
               });
}

cl_int readHeaders(const Context &context, cl_uint count, const cl_program *programs, const char **names,
                   std::vector<frontend::Header> &headers) {
  // CL_INVALID_VALUE if num_input_headers is zero and header_include_names or input_headers are not NULL, or if
  // num_input_headers is not zero and header_include_names or input_headers are NULL.
  if ((count == 0) != (programs == nullptr) || (count == 0) != (names == nullptr))
    return CL_INVALID_VALUE;
  for (cl_uint i = 0; i < count; ++i) {
    if (cl_int code = validate(programs[i]))
      return code;
    // CL_INVALID_CONTEXT if the context associated with program and programs in input_headers are not the same.
    if (&objectOf(programs[i]).context() != &context)
      return CL_INVALID_CONTEXT;
    if (!names[i])
      return CL_INVALID_VALUE;
    headers.push_back({names[i], objectOf(programs[i]).source()});
  }
  return CL_SUCCESS;
}

// If program was created using clCreateProgramWithIL, headers are ignored.
cl_int compileIl(Program &program, const std::vector<Device *> &devices, const char *option_text, Notify notify,
                 void *user_data) {
  return start(program, option_text, {{devices, {}, textsOf(program, {})}}, CL_COMPILER_NOT_AVAILABLE, notify,
               user_data,
               [&program, values = program.specializations()](const Target &target, frontend::Frontend &frontend,
                                                              const std::string &options) {
                 return finish(program.context(), target, kCompile, options,
                               frontend.compileSpirv(program.il(), options, values));
               });
}

cl_int compileProgram(cl_program handle, cl_uint num_devices, const cl_device_id *devices, const char *option_text,
                      cl_uint num_headers, const cl_program *header_programs, const char **header_names, Notify notify,
                      void *user_data) {
  if (cl_int code = validate(handle))
    return code;
  Program &program = objectOf(handle);
  auto list = readBuildArguments(program.devices(), num_devices, devices, notify, user_data);
  if (!list)
    return list.code();
  if (program.origin() == Program::Origin::Il)
    return compileIl(program, *list, option_text, notify, user_data);
  std::vector<frontend::Header> headers;
  if (cl_int code = readHeaders(program.context(), num_headers, header_programs, header_names, headers))
    return code;
  // CL_INVALID_OPERATION if program has no source or IL available.
  if (program.origin() != Program::Origin::Source)
    return CL_INVALID_OPERATION;
  return start(program, option_text, {{*list, {}, textsOf(program, headers)}}, CL_COMPILER_NOT_AVAILABLE, notify,
               user_data,
               [=, &program](const Target &target, frontend::Frontend &frontend, const std::string &options) {
                 return finish(program.context(), target, kCompile, options,
                               frontend.compile(program.source(), options, headers));
               });
}

cl_int checkInputs(const Context &context, cl_uint count, const cl_program *programs) {
  // CL_INVALID_VALUE if num_input_programs is zero or input_programs is NULL.
  if (count == 0 || !programs)
    return CL_INVALID_VALUE;
  for (cl_uint i = 0; i < count; ++i) {
    if (cl_int code = validate(programs[i]))
      return code;
    if (&objectOf(programs[i]).context() != &context)
      return CL_INVALID_CONTEXT;
  }
  return CL_SUCCESS;
}

struct Inputs {
  std::vector<frontend::Module> modules;
  ProgramTexts texts;
};

// Returns the compiled objects and libraries of the programs for a device. CL_INVALID_OPERATION if a compilation has
// not completed, or if some of the programs have one for the device and others have none.
Result<Inputs> inputsFor(const Device &device, cl_uint count, const cl_program *programs) {
  Inputs inputs;
  for (cl_uint i = 0; i < count; ++i) {
    BuildState state = objectOf(programs[i]).state(device);
    if (state.status == CL_BUILD_IN_PROGRESS)
      return Error{CL_INVALID_OPERATION};
    if (!state.module || state.module.kind == frontend::ModuleKind::Executable)
      continue;
    inputs.modules.push_back(std::move(state.module));
    inputs.texts.insert(inputs.texts.end(), state.texts.begin(), state.texts.end());
  }
  if (!inputs.modules.empty() && inputs.modules.size() != count)
    return Error{CL_INVALID_OPERATION};
  return inputs;
}

// If none of the programs contain a compiled binary or library for a device, no link is performed for it. If that is so
// for all devices, there is nothing to link, which is an error.
Result<Targets> readInputs(const std::vector<Device *> &devices, cl_uint count, const cl_program *programs) {
  Targets targets;
  for (Device *device : devices) {
    auto inputs = inputsFor(*device, count, programs);
    if (!inputs)
      return inputs.error();
    if (!inputs->modules.empty())
      addTarget(targets, *device, std::move(inputs->modules), inputs->texts);
  }
  if (targets.empty())
    return Error{CL_INVALID_OPERATION};
  return targets;
}

Result<Ref<Program>> linkProgram(cl_context handle, cl_uint num_devices, const cl_device_id *devices,
                                 const char *option_text, cl_uint count, const cl_program *programs, Notify notify,
                                 void *user_data, cl_int &link_code) {
  if (cl_int code = validate(handle))
    return Error{code};
  Context &context = objectOf(handle);
  auto list = readBuildArguments(context.devices(), num_devices, devices, notify, user_data);
  if (!list)
    return list.error();
  if (cl_int code = checkInputs(context, count, programs))
    return Error{code};
  auto targets = readInputs(*list, count, programs);
  if (!targets)
    return targets.error();
  DeviceList own;
  for (Device *device : *list)
    own.emplace_back(*device);
  auto program = make<Program>(context, Program::Origin::Link, std::move(own));
  // CL_LINKER_NOT_AVAILABLE if a linker is not available.
  link_code = start(*program, option_text, *targets, CL_LINKER_NOT_AVAILABLE, notify, user_data,
                    [&context](const Target &target, frontend::Frontend &frontend, const std::string &options) {
                      return finish(context, target, kLink, options, frontend.link(target.modules, options));
                    });
  // If the linking operation can begin, clLinkProgram returns a valid non-zero program object, and the code says
  // whether it succeeded. With invalid options or without a linker it cannot begin.
  if (link_code == CL_INVALID_LINKER_OPTIONS || link_code == CL_LINKER_NOT_AVAILABLE)
    return Error{link_code};
  return program;
}

} // namespace
} // namespace lanecl::icd

using namespace lanecl::icd;

CL_API_ENTRY cl_int CL_API_CALL clBuildProgram(cl_program program, cl_uint num_devices, const cl_device_id *devices,
                                               const char *options, Notify notify, void *user_data) {
  return entry([&] { return buildProgram(program, num_devices, devices, options, notify, user_data); });
}

CL_API_ENTRY cl_int CL_API_CALL clCompileProgram(cl_program program, cl_uint num_devices, const cl_device_id *devices,
                                                 const char *options, cl_uint num_headers, const cl_program *headers,
                                                 const char **header_names, Notify notify, void *user_data) {
  return entry([&] {
    return compileProgram(program, num_devices, devices, options, num_headers, headers, header_names, notify,
                          user_data);
  });
}

CL_API_ENTRY cl_program CL_API_CALL clLinkProgram(cl_context context, cl_uint num_devices, const cl_device_id *devices,
                                                  const char *options, cl_uint num_programs, const cl_program *programs,
                                                  Notify notify, void *user_data, cl_int *errcode_ret) {
  return create(errcode_ret, [&](cl_int &link_code) {
    return linkProgram(context, num_devices, devices, options, num_programs, programs, notify, user_data, link_code);
  });
}
