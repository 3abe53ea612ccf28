// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// lanecl-bench-compile FILE [PART-OF-THE-PLATFORM'S-NAME]: builds one OpenCL C file and launches its kernel `k` once,
// so that all of its code is generated. growth.py runs this program for each kernel and each platform.
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

cl::Device findDevice(const char *platform_part) {
  std::vector<cl::Platform> platforms;
  cl::Platform::get(&platforms);
  for (const cl::Platform &platform : platforms) {
    std::vector<cl::Device> devices;
    if (platform.getInfo<CL_PLATFORM_NAME>().find(platform_part) == std::string::npos)
      continue;
    platform.getDevices(CL_DEVICE_TYPE_ALL, &devices);
    return devices.front();
  }
  throw cl::Error(CL_DEVICE_NOT_FOUND, "no such platform");
}

void buildAndRun(const std::string &source, const char *platform_part) {
  constexpr size_t kItems = 64, kValues = 4096;
  const cl::Device device = findDevice(platform_part);
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
  std::printf("%08x\n", sum); // every platform prints the same sum
}

} // namespace

int main(int count, char **arguments) {
  std::ifstream file(count > 1 ? arguments[1] : "");
  std::stringstream source;
  source << file.rdbuf();
  if (!file) {
    std::fputs("usage: lanecl-bench-compile FILE [PART-OF-THE-PLATFORM'S-NAME]\n", stderr);
    return 2;
  }
  try {
    buildAndRun(source.str(), count > 2 ? arguments[2] : "");
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
