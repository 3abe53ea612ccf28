// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// lanecl-bench-compile FILE [RESULT]: a whole OpenCL program, as short as one can be. Builds one OpenCL C file,
// launches its kernel `k` once, so that all of its code is generated, and prints a number that depends on all results.
// With RESULT, which must be that number, the program also ends as others do. growth.py and process-start run this
// program.
#define CL_HPP_ENABLE_EXCEPTIONS
#define CL_HPP_TARGET_OPENCL_VERSION 300
#define CL_HPP_MINIMUM_OPENCL_VERSION 210
#include <CL/opencl.hpp>

#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <unistd.h>
#include <vector>

namespace {

std::string resultOf(const std::string &source) {
  constexpr size_t kItems = 64, kValues = 4096;
  std::vector<cl::Device> devices;
  cl::Platform::getDefault().getDevices(CL_DEVICE_TYPE_ALL, &devices);
  const cl::Device device = devices.at(0);
  const cl::Context context(device);
  const cl::CommandQueue queue(context, device);
  std::vector<cl_uint> values(kValues, 3), results(kItems);
  const cl::Buffer in(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, kValues * sizeof(cl_uint), values.data());
  const cl::Buffer out(context, CL_MEM_WRITE_ONLY, kItems * sizeof(cl_uint));
  cl::Program program(context, source);
  program.build(std::vector<cl::Device>{device});
  cl::Kernel kernel(program, "k");
  kernel.setArg(0, out);
  kernel.setArg(1, in);
  queue.enqueueNDRangeKernel(kernel, cl::NullRange, kItems, kItems);
  queue.enqueueReadBuffer(out, CL_TRUE, 0, kItems * sizeof(cl_uint), results.data());
  cl_uint sum = 0;
  for (cl_uint result : results)
    sum = sum * 31 + result;
  return std::to_string(sum); // every platform computes the same
}

} // namespace

int main(int count, char **arguments) {
  std::ifstream file(count > 1 ? arguments[1] : "");
  std::stringstream source;
  source << file.rdbuf();
  if (!file) {
    std::fputs("usage: lanecl-bench-compile FILE [RESULT]\n", stderr);
    return 2;
  }
  try {
    const std::string result = resultOf(source.str());
    std::puts(result.c_str());
    if (count > 2)
      return result == arguments[2] ? 0 : 1;
  } catch (const cl::BuildError &error) {
    for (const auto &[device, log] : error.getBuildLog())
      std::fprintf(stderr, "%s\n", log.c_str());
    return 1;
  } catch (const cl::Error &error) {
    std::fprintf(stderr, "%s failed with error %d\n", error.what(), error.err());
    return 1;
  }
  std::fflush(stdout);
  _exit(0); // leaves out what a platform does at exit, which is not measured
}
