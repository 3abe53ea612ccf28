// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// check_api_host MODE: uses the API correctly, or makes the mistake that MODE names.
#include "support/command_buffers.hpp"
#include "support/exit_status.hpp"
#include "support/session.hpp"

#include <CL/cl_ext.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include <sys/wait.h>
#include <unistd.h>

using namespace lanecl::test;

namespace {

constexpr const char *kRight = "kernel void k(global int *p) { p[get_global_id(0)] = 1; }\n";
constexpr const char *kWarns = "kernel void k(global int *p) {\n  int x = 1.5e10;\n  p[get_global_id(0)] = x;\n}\n";

// Releases a memory object after the end of main(), as the destructors of a program's global variables do.
struct AtTheEnd {
  cl_mem memory = nullptr;
  ~AtTheEnd() {
    if (memory)
      clReleaseMemObject(memory);
  }
};
AtTheEnd at_the_end;

// Runs the kernel once, and releases the event.
void launch(const Session &cl, const Kernel &kernel, cl_mem buffer) {
  const size_t global = 4;
  check(clSetKernelArg(kernel, 0, sizeof buffer, &buffer), "clSetKernelArg");
  cl_event event = nullptr;
  check(clEnqueueNDRangeKernel(cl.queue, kernel, 1, nullptr, &global, nullptr, 0, nullptr, &event), "launch");
  check(clFinish(cl.queue), "clFinish");
  clReleaseEvent(event);
}

// Records a kernel, changes its argument, and runs the command buffer twice.
void runChanged(const Session &cl, const Kernel &kernel, cl_mem buffer) {
  const Recorder recorder(cl.queue, CL_COMMAND_BUFFER_MUTABLE_KHR);
  const size_t global = 16;
  cl_mutable_command_khr command = nullptr;
  check(recorder.clCommandNDRangeKernelKHR(recorder.buffer, nullptr, nullptr, kernel, 1, nullptr, &global, nullptr, 0,
                                           nullptr, nullptr, &command),
        "clCommandNDRangeKernelKHR");
  recorder.finalize();
  const cl_mutable_dispatch_arg_khr argument{0, sizeof buffer, &buffer};
  const lanecl::command_buffer::DispatchConfig config{.command = command, .num_args = 1, .arg_list = &argument};
  const lanecl::command_buffer::UpdateType type = lanecl::command_buffer::kDispatchConfig;
  const void *configs[] = {&config};
  check(recorder.clUpdateMutableCommandsKHR(recorder.buffer, 1, &type, configs), "clUpdateMutableCommandsKHR");
  for (int i = 0; i < 2; ++i)
    recorder.run();
}

// Makes the mistake that the mode names; other modes do nothing here.
void makeMistake(const std::string &mode, const Session &cl, cl_mem buffer) {
  if (mode == "query") { // a query of an extension that a processor does not have, twice from one place
    cl_uint version = 0;
    for (int i = 0; i < 2; ++i)
      clGetDeviceInfo(cl.device, CL_DEVICE_IP_VERSION_INTEL, sizeof version, &version, nullptr);
    // Linking fails but returns a program.
    const Program part = cl.source("void missing(void); kernel void k() { missing(); }");
    check(clCompileProgram(part, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr), "clCompileProgram");
    const cl_program input = part.get();
    const Program linked(clLinkProgram(cl.context, 0, nullptr, "", 1, &input, nullptr, nullptr, nullptr));
  }
  if (mode == "leak") {
    clRetainMemObject(buffer);
    clRetainMemObject(buffer);
  }
  if (mode == "double") // the sub-buffer keeps the object alive, so that its memory is not used for something else
    for (int i = 0; i < 3; ++i)
      clReleaseMemObject(buffer);
  if (mode == "null")
    clReleaseMemObject(nullptr);
  if (mode == "static") {
    clRetainMemObject(buffer);
    at_the_end.memory = buffer;
  }
  if (mode == "fork") {
    if (const pid_t child = fork(); child == 0)
      std::exit(0);
    else
      waitpid(child, nullptr, 0);
  }
}

// Fails before there is a context.
void findNothing() {
  cl_platform_id platform = nullptr;
  check(clGetPlatformIDs(1, &platform, nullptr), "clGetPlatformIDs");
  cl_uint count = 0;
  if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_CUSTOM, 0, nullptr, &count) != CL_DEVICE_NOT_FOUND)
    std::abort();
}

void run(const std::string &mode) {
  if (mode == "nothing")
    return findNothing();
  const Session cl;
  const Program program = cl.build(mode == "warning" ? kWarns : kRight, "-cl-std=CL3.0");
  const Kernel kernel = cl.kernel(program, "k");
  cl_int code = CL_SUCCESS;
  const cl_mem buffer = clCreateBuffer(cl.context, CL_MEM_READ_WRITE, 64, nullptr, &code);
  check(code, "clCreateBuffer");
  const cl_buffer_region region{0, 16};
  const Memory part(clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code));
  check(code, "clCreateSubBuffer");
  launch(cl, kernel, buffer);
  if (mode == "changed")
    runChanged(cl, kernel, buffer);
  // The call is refused, so there is no object that the program would own.
  if (clCreateBuffer(cl.context, CL_MEM_READ_WRITE, 0, nullptr, &code))
    std::abort();
  makeMistake(mode, cl, buffer);
  clReleaseMemObject(buffer);
}

} // namespace

int main(int, char **arguments) {
  return lanecl::test::exitStatusOf([&] { run(arguments[1]); });
}
