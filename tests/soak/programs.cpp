// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "jobs.h"

namespace lanecl::test::soak {
namespace {

constexpr size_t kKnownPrograms = 8;

Program make(Shared &shared, const std::string &text) {
  const char *source = text.c_str();
  cl_int code = CL_SUCCESS;
  Program program(clCreateProgramWithSource(shared.context, 1, &source, nullptr, &code));
  check(code, "clCreateProgramWithSource");
  return program;
}

// The kernel writes what the options say.
void buildAndRun(Shared &shared, unsigned number) {
  Program program = make(shared, "kernel void number(global int *p) { p[get_global_id(0)] = NUMBER; }");
  const std::string options = "-DNUMBER=" + std::to_string(number);
  check(clBuildProgram(program, 1, &shared.device, options.c_str(), nullptr, nullptr), "clBuildProgram");
  ++shared.tally.builds;
  cl_int code = CL_SUCCESS;
  Kernel kernel(clCreateKernel(program, "number", &code));
  check(code, "clCreateKernel");
  program.reset(); // the kernel keeps what it needs
  constexpr size_t kItems = 64;
  CommandQueue queue = makeQueue(shared.context, 0, shared.device);
  Memory memory(clCreateBuffer(shared.context, CL_MEM_WRITE_ONLY, kItems * sizeof(cl_int), nullptr, &code));
  check(code, "clCreateBuffer");
  check(clSetKernelArg(kernel, 0, sizeof(cl_mem), memory.address()), "clSetKernelArg");
  check(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &kItems, nullptr, 0, nullptr, nullptr),
        "clEnqueueNDRangeKernel");
  kernel.reset(); // so does the command
  std::vector<cl_uint> got(kItems);
  check(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, kItems * sizeof(cl_int), got.data(), 0, nullptr, nullptr),
        "clEnqueueReadBuffer");
  shared.tally.commands += 2;
  if (got != std::vector<cl_uint>(kItems, number))
    throw std::runtime_error("the kernel wrote " + std::to_string(got[0]) + " instead of " + std::to_string(number));
}

void buildBroken(Shared &shared, unsigned number) {
  Program program = make(shared, "kernel void broken(global int *p) { *p = missing" + std::to_string(number) + "; }");
  expectCode(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(program, 1, &shared.device, "", nullptr, nullptr),
             "clBuildProgram");
  if (buildLog(program, shared.device).find("missing") == std::string::npos)
    throw std::runtime_error("the build log does not name the mistake");
  ++shared.tally.refusals;
}

} // namespace

void buildPrograms(Shared &shared, Random &random) {
  const auto any = unsigned(random() & 0x7fffffff);
  if (oneIn(random, 4))
    buildBroken(shared, any);
  else
    buildAndRun(shared, oneIn(random, 3) ? any : unsigned(below(random, kKnownPrograms)));
}

} // namespace lanecl::test::soak
