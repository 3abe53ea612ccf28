// clBuildProgram, clCompileProgram and clLinkProgram.
#include "background.h"
#include "entry.h"
#include "program.h"

namespace lanecl::icd {
namespace {

using Notify = void(CL_CALLBACK *)(cl_program, void *);

// The codes that the three functions give to the same mishaps.
struct Codes {
  cl_int failure, invalid_options;
};
constexpr Codes kBuild{CL_BUILD_PROGRAM_FAILURE, CL_INVALID_BUILD_OPTIONS};
constexpr Codes kCompile{CL_COMPILE_PROGRAM_FAILURE, CL_INVALID_COMPILER_OPTIONS};
constexpr Codes kLink{CL_LINK_PROGRAM_FAILURE, CL_INVALID_LINKER_OPTIONS};

struct Outcome {
  BuildState state;
  cl_int code = CL_SUCCESS;
};

Outcome failed(const std::string &options, std::string log, cl_int code) {
  Outcome outcome;
  outcome.state.status = CL_BUILD_ERROR;
  outcome.state.options = options;
  outcome.state.log = std::move(log);
  outcome.code = code;
  return outcome;
}

// What cannot be vectorized is found now, when somebody reads the log, and not at the first launch.
bool checkKernels(Executable &executable, std::string &log) {
  bool good = true;
  for (size_t i = 0; i < executable.kernels().size(); ++i) {
    std::string error;
    if (executable.compile(i, executable.likelyClass(i), error))
      continue;
    good = false;
    log += error;
    if (!error.ends_with('\n'))
      log += '\n';
  }
  return good;
}

Outcome finish(Device &device, const Codes &codes, const std::string &options, frontend::CompileOutput output) {
  if (output.status != frontend::Status::Success)
    return failed(options, std::move(output.log),
                  output.status == frontend::Status::InvalidOptions ? codes.invalid_options : codes.failure);
  Outcome outcome;
  outcome.state.status = CL_BUILD_SUCCESS;
  outcome.state.options = options;
  outcome.state.log = std::move(output.log);
  outcome.state.module = std::move(output.module);
  if (outcome.state.module.kind != frontend::ModuleKind::Executable)
    return outcome;
  std::string error;
  auto executable = Executable::create(device, outcome.state.module, error);
  if (!executable)
    return failed(options, outcome.state.log + error, codes.failure);
  if (!checkKernels(*executable, outcome.state.log))
    return failed(options, std::move(outcome.state.log), codes.failure);
  outcome.state.executable = std::move(executable);
  return outcome;
}

// Runs `job` now, or in the background when somebody wants to be notified. Nothing is locked meanwhile.
template <class Job>
cl_int perform(Program &target, const std::string &options, Notify notify, void *user_data, Job job) {
  const auto run = [=, program = Ref<Program>(target)] {
    Outcome outcome;
    const cl_int trouble = entry([&] {
      outcome = job();
      return cl_int(CL_SUCCESS);
    });
    if (trouble != CL_SUCCESS)
      outcome = failed(options, {}, trouble);
    const cl_int code = outcome.code;
    program->endBuild(std::move(outcome.state));
    if (notify)
      notify(program->handle(), user_data);
    return code;
  };
  if (!notify)
    return run();
  // Without a thread to be had the build still happens, before the call returns.
  if (!runInBackground(run))
    run();
  return CL_SUCCESS;
}

// What the functions check alike before they touch the program.
cl_int checkBuildArguments(const Context &context, cl_uint num_devices, const cl_device_id *devices, Notify notify,
                           void *user_data) {
  if (cl_int code = checkDeviceList(context, num_devices, devices))
    return code;
  // CL_INVALID_VALUE if pfn_notify is NULL but user_data is not NULL.
  return !notify && user_data ? CL_INVALID_VALUE : CL_SUCCESS;
}

Outcome buildBinary(Device &device, frontend::Frontend &frontend, const std::string &options,
                    const frontend::Module &module) {
  if (module.kind == frontend::ModuleKind::Object)
    return finish(device, kBuild, options, frontend.link({module}, ""));
  frontend::CompileOutput output;
  output.status = frontend::Status::Success;
  output.module = module;
  return finish(device, kBuild, options, std::move(output));
}

// Begins a build of `target` and has `job` do it, with the frontend and the state the program had before. `unavailable`
// is the outcome when there is no frontend because its files are missing.
template <class Job>
cl_int start(Program &target, const char *option_text, cl_int unavailable, Notify notify, void *user_data, Job job) {
  const std::string options = option_text ? option_text : "";
  BuildState previous;
  if (cl_int code = target.beginBuild(options, previous))
    return code;
  return perform(target, options, notify, user_data, [=, &device = target.context().device()] {
    std::string error;
    frontend::Frontend *frontend = device.frontend(error);
    return frontend ? job(device, *frontend, options, previous) : failed(options, error, unavailable);
  });
}

cl_int buildProgram(cl_program handle, cl_uint num_devices, const cl_device_id *devices, const char *option_text,
                    Notify notify, void *user_data) {
  if (cl_int code = validate(handle))
    return code;
  Program &program = objectOf(handle);
  if (cl_int code = checkBuildArguments(program.context(), num_devices, devices, notify, user_data))
    return code;
  // CL_INVALID_OPERATION if program was not created with clCreateProgramWithSource, clCreateProgramWithIL or
  // clCreateProgramWithBinary.
  if (program.origin() == Program::Origin::Link)
    return CL_INVALID_OPERATION;
  // The values that hold at this call; the build may run later.
  const frontend::SpecializationValues values = program.specializations();
  // CL_COMPILER_NOT_AVAILABLE if a compiler is not available.
  return start(program, option_text, CL_COMPILER_NOT_AVAILABLE, notify, user_data,
               [&program, values](Device &device, frontend::Frontend &frontend, const std::string &options,
                                  const BuildState &previous) {
                 if (program.origin() == Program::Origin::Source)
                   return finish(device, kBuild, options, frontend.build(program.source(), options));
                 if (program.origin() == Program::Origin::Il)
                   return finish(device, kBuild, options, frontend.buildSpirv(program.il(), options, values));
                 // CL_INVALID_BINARY if program is created with clCreateProgramWithBinary and devices listed in
                 // device_list do not have a valid program binary loaded.
                 if (!previous.module)
                   return failed(options, {}, CL_INVALID_BINARY);
                 Outcome outcome = buildBinary(device, frontend, options, previous.module);
                 if (!outcome.state.module)
                   outcome.state.module = previous.module; // still loaded, for another try
                 return outcome;
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
cl_int compileIl(Program &program, const char *option_text, Notify notify, void *user_data) {
  return start(program, option_text, CL_COMPILER_NOT_AVAILABLE, notify, user_data,
               [&program, values = program.specializations()](Device &device, frontend::Frontend &frontend,
                                                              const std::string &options, const BuildState &) {
                 return finish(device, kCompile, options, frontend.compileSpirv(program.il(), options, values));
               });
}

cl_int compileProgram(cl_program handle, cl_uint num_devices, const cl_device_id *devices, const char *option_text,
                      cl_uint num_headers, const cl_program *header_programs, const char **header_names, Notify notify,
                      void *user_data) {
  if (cl_int code = validate(handle))
    return code;
  Program &program = objectOf(handle);
  if (cl_int code = checkBuildArguments(program.context(), num_devices, devices, notify, user_data))
    return code;
  if (program.origin() == Program::Origin::Il)
    return compileIl(program, option_text, notify, user_data);
  std::vector<frontend::Header> headers;
  if (cl_int code = readHeaders(program.context(), num_headers, header_programs, header_names, headers))
    return code;
  // CL_INVALID_OPERATION if program has no source or IL available.
  if (program.origin() != Program::Origin::Source)
    return CL_INVALID_OPERATION;
  return start(
      program, option_text, CL_COMPILER_NOT_AVAILABLE, notify, user_data,
      [=, &program](Device &device, frontend::Frontend &frontend, const std::string &options, const BuildState &) {
        return finish(device, kCompile, options, frontend.compile(program.source(), options, headers));
      });
}

cl_int readInputs(const Context &context, cl_uint count, const cl_program *programs,
                  std::vector<frontend::Module> &modules) {
  // CL_INVALID_VALUE if num_input_programs is zero or input_programs is NULL.
  if (count == 0 || !programs)
    return CL_INVALID_VALUE;
  for (cl_uint i = 0; i < count; ++i) {
    if (cl_int code = validate(programs[i]))
      return code;
    if (&objectOf(programs[i]).context() != &context)
      return CL_INVALID_CONTEXT;
    const BuildState state = objectOf(programs[i]).state();
    // CL_INVALID_OPERATION if a compilation has not completed, or if a program holds neither a compiled object nor a
    // library.
    if (state.status == CL_BUILD_IN_PROGRESS || !state.module || state.module.kind == frontend::ModuleKind::Executable)
      return CL_INVALID_OPERATION;
    modules.push_back(state.module);
  }
  return CL_SUCCESS;
}

Result<Ref<Program>> linkProgram(cl_context handle, cl_uint num_devices, const cl_device_id *devices,
                                 const char *option_text, cl_uint count, const cl_program *programs, Notify notify,
                                 void *user_data, cl_int &link_code) {
  if (cl_int code = validate(handle))
    return Error{code};
  Context &context = objectOf(handle);
  if (cl_int code = checkBuildArguments(context, num_devices, devices, notify, user_data))
    return Error{code};
  std::vector<frontend::Module> modules;
  if (cl_int code = readInputs(context, count, programs, modules))
    return Error{code};
  auto program = make<Program>(context, Program::Origin::Link);
  // CL_LINKER_NOT_AVAILABLE if a linker is not available.
  link_code = start(*program, option_text, CL_LINKER_NOT_AVAILABLE, notify, user_data,
                    [=](Device &device, frontend::Frontend &frontend, const std::string &options, const BuildState &) {
                      return finish(device, kLink, options, frontend.link(modules, options));
                    });
  // If the linking operation can begin, clLinkProgram returns a valid non-zero program object, and the code says
  // whether it succeeded. With bad options it cannot begin.
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
