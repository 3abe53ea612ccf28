// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// check_study_host FILE.cl ITEMS LOCAL IN OUT LOCAL_BYTES OPTIONS: runs the kernel `k` of the file on the first device
// that there is and prints what it leaves. Its arguments are `in`, IN ints with pseudo-random values; `out`, OUT ints
// that are 0; `n`, which is OUT; and, if it has a fourth, that many bytes of local memory. Any OpenCL device will do.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

void check(cl_int code, const char *what) {
  if (code == CL_SUCCESS)
    return;
  std::fprintf(stderr, "%s: %d\n", what, code);
  std::exit(3);
}

// As in study.py.
std::vector<int32_t> values(size_t count) {
  std::vector<int32_t> result(count);
  uint32_t state = 12345;
  for (int32_t &value : result) {
    state = state * 1103515245U + 12345U;
    value = int32_t(state >> 16 & 1023);
  }
  return result;
}

struct Device {
  cl_device_id id = nullptr;
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;

  Device() {
    cl_platform_id platform = nullptr;
    cl_int code = clGetPlatformIDs(1, &platform, nullptr);
    check(code, "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &id, nullptr), "clGetDeviceIDs");
    context = clCreateContext(nullptr, 1, &id, nullptr, nullptr, &code);
    check(code, "clCreateContext");
    queue = clCreateCommandQueue(context, id, 0, &code);
    check(code, "clCreateCommandQueue");
  }
  Device(const Device &) = delete;
  Device &operator=(const Device &) = delete;
  ~Device() {
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
  }

  cl_program build(const std::string &text, const char *options) const {
    const char *string = text.c_str();
    cl_int code = CL_SUCCESS;
    cl_program program = clCreateProgramWithSource(context, 1, &string, nullptr, &code);
    check(code, "clCreateProgramWithSource");
    if (clBuildProgram(program, 1, &id, options, nullptr, nullptr) != CL_SUCCESS) {
      std::string log(1 << 16, '\0');
      clGetProgramBuildInfo(program, id, CL_PROGRAM_BUILD_LOG, log.size(), log.data(), nullptr);
      std::fprintf(stderr, "the kernel does not build\n%s\n", log.c_str());
      std::exit(4);
    }
    return program;
  }
  cl_mem buffer(std::vector<int32_t> &content) const {
    cl_int code = CL_SUCCESS;
    cl_mem memory = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, content.size() * sizeof(int32_t),
                                   content.data(), &code);
    check(code, "clCreateBuffer");
    return memory;
  }
};

} // namespace

int main(int count, char **words) {
  if (count != 8)
    return 2;
  std::ifstream file(words[1]);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto number = [&](int i) { return size_t(std::strtoul(words[i], nullptr, 10)); };
  const size_t items = number(2), local = number(3), local_bytes = number(6);
  std::vector<int32_t> in = values(number(4)), out(number(5));
  const cl_int n = cl_int(out.size());

  const Device device;
  cl_program program = device.build(text, words[7]);
  cl_int code = CL_SUCCESS;
  cl_kernel kernel = clCreateKernel(program, "k", &code);
  check(code, "clCreateKernel");
  cl_mem from = device.buffer(in), to = device.buffer(out);
  check(clSetKernelArg(kernel, 0, sizeof from, &from), "clSetKernelArg");
  check(clSetKernelArg(kernel, 1, sizeof to, &to), "clSetKernelArg");
  check(clSetKernelArg(kernel, 2, sizeof n, &n), "clSetKernelArg");
  if (local_bytes != 0)
    check(clSetKernelArg(kernel, 3, local_bytes, nullptr), "clSetKernelArg");
  check(clEnqueueNDRangeKernel(device.queue, kernel, 1, nullptr, &items, &local, 0, nullptr, nullptr),
        "clEnqueueNDRangeKernel");
  check(
      clEnqueueReadBuffer(device.queue, to, CL_TRUE, 0, out.size() * sizeof(int32_t), out.data(), 0, nullptr, nullptr),
      "clEnqueueReadBuffer");
  for (const int32_t value : out)
    std::printf("%d\n", value);
  clReleaseMemObject(from);
  clReleaseMemObject(to);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
}
