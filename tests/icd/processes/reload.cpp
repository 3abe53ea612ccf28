// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Opens the library, or the OpenCL loader that opens it, lets it work, closes it while commands run, and repeats that.
#include <CL/cl.h>
#include <CL/cl_icd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

const char *const kSource = "kernel void spin(global uint *p, uint n) {\n"
                            "  uint x = 1;\n"
                            "  for (uint i = 0; i < n; ++i) x = x * 1664525u + 1013904223u;\n"
                            "  p[get_global_id(0)] = x;\n}";

void require(bool condition, const char *what) {
  if (condition)
    return;
  std::fprintf(stderr, "%s\n", what);
  _exit(1);
}

template <class Function> Function symbol(void *library, const char *name) {
  auto *const address = dlsym(library, name);
  require(address != nullptr, name);
  Function function;
  std::memcpy(&function, &address, sizeof function);
  return function;
}

cl_uint expected(cl_uint n) {
  cl_uint x = 1;
  for (cl_uint i = 0; i < n; ++i)
    x = x * 1664525u + 1013904223u;
  return x;
}

// Works through the platform's own dispatch table, as a loader would. Leaves a running launch behind, and releases
// nothing.
void work(cl_platform_id platform) {
  const auto &cl = *reinterpret_cast<cl_icd_dispatch *const *>(platform)[0];
  cl_device_id device = nullptr;
  cl_int code = cl.clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr);
  require(code == CL_SUCCESS, "clGetDeviceIDs");
  cl_context context = cl.clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
  require(code == CL_SUCCESS, "clCreateContext");
  cl_command_queue queue = cl.clCreateCommandQueueWithProperties(context, device, nullptr, &code);
  require(code == CL_SUCCESS, "clCreateCommandQueueWithProperties");
  const char *source = kSource;
  cl_program program = cl.clCreateProgramWithSource(context, 1, &source, nullptr, &code);
  require(cl.clBuildProgram(program, 1, &device, "", nullptr, nullptr) == CL_SUCCESS, "clBuildProgram");
  cl_kernel kernel = cl.clCreateKernel(program, "spin", &code);
  const size_t size = 4096;
  cl_mem data = cl.clCreateBuffer(context, CL_MEM_READ_WRITE, size * sizeof(cl_uint), nullptr, &code);
  require(cl.clSetKernelArg(kernel, 0, sizeof(cl_mem), &data) == CL_SUCCESS, "clSetKernelArg");
  std::vector<cl_uint> result(size);
  for (cl_uint n : {1000u, 10'000'000u}) {
    require(cl.clSetKernelArg(kernel, 1, sizeof n, &n) == CL_SUCCESS, "clSetKernelArg");
    code = cl.clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &size, nullptr, 0, nullptr, nullptr);
    require(code == CL_SUCCESS, "clEnqueueNDRangeKernel");
    if (n != 1000)
      break;
    code = cl.clEnqueueReadBuffer(queue, data, CL_TRUE, 0, size * sizeof(cl_uint), result.data(), 0, nullptr, nullptr);
    require(code == CL_SUCCESS && result == std::vector<cl_uint>(size, expected(n)), "a wrong result");
  }
  require(cl.clFlush(queue) == CL_SUCCESS, "clFlush");
}

cl_platform_id firstPlatform(void *library, bool is_loader) {
  using GetPlatforms = cl_int (*)(cl_uint, cl_platform_id *, cl_uint *);
  using GetAddress = void *(*)(const char *);
  GetPlatforms get = nullptr;
  if (is_loader) {
    get = symbol<GetPlatforms>(library, "clGetPlatformIDs");
  } else {
    void *const address = symbol<GetAddress>(library, "clGetExtensionFunctionAddress")("clIcdGetPlatformIDsKHR");
    require(address != nullptr, "clIcdGetPlatformIDsKHR");
    std::memcpy(&get, &address, sizeof get);
  }
  cl_platform_id platform = nullptr;
  cl_uint count = 0;
  require(get(1, &platform, &count) == CL_SUCCESS && count == 1, "clGetPlatformIDs");
  return platform;
}

} // namespace

// Arguments: the library to open, and whether it is a loader.
int main(int argc, char **argv) {
  require(argc == 3, "usage: reload LIBRARY 0|1");
  alarm(60);
  const bool is_loader = std::atoi(argv[2]) != 0;
  for (int round = 0; round < 3; ++round) {
    // On a thread that ends: what is destroyed with the thread would keep the library, too.
    std::thread([&] {
      void *const library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
      require(library != nullptr, "dlopen");
      const cl_platform_id platform = firstPlatform(library, is_loader);
      if (round != 0) // in the first round, nothing has started to work
        work(platform);
      require(dlclose(library) == 0, "dlclose");
    }).join();
    require(is_loader || dlopen(argv[1], RTLD_NOW | RTLD_NOLOAD) != nullptr, "the library is gone");
    std::this_thread::sleep_for(std::chrono::milliseconds(50)); // the workers go on
  }
  return 0; // and again at exit
}
