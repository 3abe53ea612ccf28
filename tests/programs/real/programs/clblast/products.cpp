// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Times CLBlast's products with its default parameters on the only OpenCL device. Prints a line for each: its name, the
// figure of the quickest of ten, and the unit.
#include <CL/cl.h>
#include <algorithm>
#include <chrono>
#include <clblast.h>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

struct Device {
  cl_context context;
  cl_command_queue queue;
};

Device open_device() {
  cl_platform_id platform = nullptr;
  cl_device_id id = nullptr;
  if (clGetPlatformIDs(1, &platform, nullptr) || clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &id, nullptr)) {
    fprintf(stderr, "no OpenCL device\n");
    exit(1);
  }
  cl_context context = clCreateContext(nullptr, 1, &id, nullptr, nullptr, nullptr);
  return {context, clCreateCommandQueueWithProperties(context, id, nullptr, nullptr)};
}

template <typename Real> cl_mem matrix(const Device &device, size_t side) {
  std::vector<Real> values(side * side, Real(0.5));
  return clCreateBuffer(device.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, values.size() * sizeof(Real),
                        values.data(), nullptr);
}

// Seconds of the quickest of ten, after one that compiles.
template <typename Run> double quickest(const Device &device, Run run) {
  double least = 1e30;
  for (int i = 0; i <= 10; ++i) {
    auto start = std::chrono::steady_clock::now();
    if (run() != clblast::StatusCode::kSuccess)
      exit(1);
    clFinish(device.queue);
    std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    if (i > 0)
      least = std::min(least, time.count());
  }
  return least;
}

template <typename Real> void time_products(const Device &device, const char *gemm, const char *gemv, size_t side) {
  cl_mem a = matrix<Real>(device, side), b = matrix<Real>(device, side), c = matrix<Real>(device, side);
  cl_command_queue queue = device.queue;
  double seconds = quickest(device, [&] {
    return clblast::Gemm(clblast::Layout::kRowMajor, clblast::Transpose::kNo, clblast::Transpose::kNo, side, side, side,
                         Real(1), a, 0, side, b, 0, side, Real(0), c, 0, side, &queue);
  });
  printf("%s-%zu %.1f GFLOPS\n", gemm, side, 2e-9 * double(side * side * side) / seconds);
  seconds = quickest(device, [&] {
    return clblast::Gemv(clblast::Layout::kRowMajor, clblast::Transpose::kNo, side, side, Real(1), a, 0, side, b, 0, 1,
                         Real(0), c, 0, 1, &queue);
  });
  printf("%s-%zu %.1f GFLOPS\n", gemv, side, 2e-9 * double(side * side) / seconds);
  for (cl_mem buffer : {a, b, c})
    clReleaseMemObject(buffer);
}

} // namespace

int main() {
  Device device = open_device();
  time_products<float>(device, "sgemm", "sgemv", 1024);
  time_products<double>(device, "dgemm", "dgemv", 1024);
}
