// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// lanecl-bench-start [PART-OF-THE-PLATFORM'S-NAME]: a whole OpenCL program, as short as one can be, from the list of
// platforms to the first result of a kernel. Prints how many milliseconds that took.
#define CL_HPP_ENABLE_EXCEPTIONS
#define CL_HPP_TARGET_OPENCL_VERSION 300
#define CL_HPP_MINIMUM_OPENCL_VERSION 210
#include <CL/opencl.hpp>

#include <chrono>
#include <cstdio>
#include <numeric>
#include <vector>

namespace {

constexpr const char *kSource = R"(
kernel void add(global const float *a, global const float *b, global float *sum) {
  size_t i = get_global_id(0);
  sum[i] = a[i] + b[i];
}
)";

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

bool addsOnDevice(const char *platform_part) {
  std::vector<float> values(1024), sums(values.size());
  std::iota(values.begin(), values.end(), 0.0f);
  const size_t bytes = values.size() * sizeof(float);
  const cl::Device device = findDevice(platform_part);
  const cl::Context context(device);
  const cl::CommandQueue queue(context, device);
  const cl::Buffer in(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes, values.data());
  const cl::Buffer out(context, CL_MEM_WRITE_ONLY, bytes);
  cl::Program program(context, kSource);
  program.build(std::vector<cl::Device>{device});
  cl::Kernel kernel(program, "add");
  kernel.setArg(0, in);
  kernel.setArg(1, in);
  kernel.setArg(2, out);
  queue.enqueueNDRangeKernel(kernel, cl::NullRange, values.size());
  queue.enqueueReadBuffer(out, CL_TRUE, 0, bytes, sums.data());
  for (size_t i = 0; i < sums.size(); ++i)
    if (sums[i] != 2 * values[i])
      return false;
  return true;
}

} // namespace

int main(int count, char **arguments) {
  const auto start = std::chrono::steady_clock::now();
  try {
    if (!addsOnDevice(count > 1 ? arguments[1] : "")) {
      std::fputs("the result is wrong\n", stderr);
      return 1;
    }
  } catch (const cl::Error &error) {
    std::fprintf(stderr, "%s failed with error %d\n", error.what(), error.err());
    return 1;
  }
  const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - start;
  std::printf("%.2f ms\n", elapsed.count());
}
