// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Builds and runs OpenCL C with few lines, for every room's tests:
//
//   Session cl;
//   Program program = cl.build("kernel void twice(global int *p) { p[get_global_id(0)] *= 2; }");
//   Memory data = cl.buffer(std::vector<int>{1, 2, 3});
//   cl.run(cl.kernel(program, "twice"), {3}, {}, data);
//   CHECK(cl.read<int>(data) == std::vector<int>{2, 4, 6});
#pragma once

#include "support/handles.hpp"

#include <cstdlib>
#include <cstring>
#include <vector>

namespace lanecl::test {

// A failed build, with its log.
struct BuildError : std::runtime_error {
  BuildError(cl_int code_, std::string log_)
      : std::runtime_error("build failed with " + std::to_string(code_) + "\n" + log_), code(code_),
        log(std::move(log_)) {}
  cl_int code;
  std::string log;
};

// A __local argument of that many bytes.
struct Local {
  size_t bytes;
};

// Returns LaneCL's platform. Throws std::runtime_error if the loader does not find it.
inline cl_platform_id laneclPlatform() {
  cl_uint count = 0;
  check(clGetPlatformIDs(0, nullptr, &count), "clGetPlatformIDs");
  std::vector<cl_platform_id> platforms(count);
  check(clGetPlatformIDs(count, platforms.data(), nullptr), "clGetPlatformIDs");
  for (cl_platform_id platform : platforms) {
    char name[64] = {};
    clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name - 1, name, nullptr);
    // With a GPU's profile, the platform has the name of that GPU's platform.
    if (std::strcmp(name, "LaneCL") == 0 || (std::getenv("LANECL_DEVICE") && std::strstr(name, "Intel")))
      return platform;
  }
  throw std::runtime_error("no platform named LaneCL: is OCL_ICD_VENDORS set to this build's lanecl.icd?");
}

// Returns the platform's device.
inline cl_device_id laneclDevice() {
  cl_device_id device = nullptr;
  check(clGetDeviceIDs(laneclPlatform(), CL_DEVICE_TYPE_ALL, 1, &device, nullptr), "clGetDeviceIDs");
  return device;
}

// Returns the values of a device query that yields an array.
template <class T> std::vector<T> deviceList(cl_device_info name) {
  size_t bytes = 0;
  check(clGetDeviceInfo(laneclDevice(), name, 0, nullptr, &bytes), "clGetDeviceInfo");
  std::vector<T> values(bytes / sizeof(T));
  check(clGetDeviceInfo(laneclDevice(), name, bytes, values.data(), nullptr), "clGetDeviceInfo");
  return values;
}

inline Context makeContext(cl_device_id device = laneclDevice()) {
  cl_int code = CL_SUCCESS;
  Context context(clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code));
  check(code, "clCreateContext");
  return context;
}

// Creates a queue, which is in order unless the properties say otherwise.
inline CommandQueue makeQueue(const Context &context, cl_command_queue_properties properties = 0,
                              cl_device_id device = laneclDevice()) {
  cl_int code = CL_SUCCESS;
  const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, 0};
  CommandQueue queue(clCreateCommandQueueWithProperties(context, device, list, &code));
  check(code, "clCreateCommandQueueWithProperties");
  return queue;
}

inline Event userEvent(const Context &context) {
  cl_int code = 1;
  Event event(clCreateUserEvent(context, &code));
  check(code, "clCreateUserEvent");
  return event;
}

// Returns the log of the program's last build.
inline std::string buildLog(const Program &program, cl_device_id device = laneclDevice()) {
  size_t size = 0;
  check(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size), "clGetProgramBuildInfo");
  std::string log(size, '\0');
  check(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, size, log.data(), nullptr),
        "clGetProgramBuildInfo");
  return log.c_str();
}

// The LaneCL device with a context and a queue.
class Session {
public:
  explicit Session(cl_command_queue_properties properties = 0)
      : device(laneclDevice()), context(makeContext(device)), queue(makeQueue(context, properties, device)) {}

  cl_device_id device;
  Context context;
  CommandQueue queue;

  // Creates a program without building it.
  Program source(const std::string &text) const {
    const char *string = text.c_str();
    cl_int code = CL_SUCCESS;
    Program program(clCreateProgramWithSource(context, 1, &string, nullptr, &code));
    check(code, "clCreateProgramWithSource");
    return program;
  }

  // Builds a program. Throws BuildError, with the log, if that fails.
  Program build(const std::string &text, const std::string &options = "") const {
    Program program = source(text);
    if (cl_int code = clBuildProgram(program, 1, &device, options.c_str(), nullptr, nullptr); code != CL_SUCCESS)
      throw BuildError(code, buildLog(program, device));
    return program;
  }

  Kernel kernel(const Program &program, const std::string &name) const {
    cl_int code = CL_SUCCESS;
    Kernel result(clCreateKernel(program, name.c_str(), &code));
    check(code, "clCreateKernel");
    return result;
  }

  // Creates a buffer of that many bytes.
  Memory bytes(size_t size, cl_mem_flags flags = CL_MEM_READ_WRITE, void *host = nullptr) const {
    cl_int code = CL_SUCCESS;
    Memory memory(clCreateBuffer(context, flags, size, host, &code));
    check(code, "clCreateBuffer");
    return memory;
  }

  // Creates a buffer that initially contains the values.
  template <class T> Memory buffer(const std::vector<T> &values, cl_mem_flags flags = CL_MEM_READ_WRITE) const {
    return bytes(values.size() * sizeof(T), flags | CL_MEM_COPY_HOST_PTR, const_cast<T *>(values.data()));
  }

  // Waits for the commands in the queue and returns the whole content of a buffer.
  template <class T> std::vector<T> read(const Memory &memory) const {
    size_t size = 0;
    check(clGetMemObjectInfo(memory, CL_MEM_SIZE, sizeof size, &size, nullptr), "clGetMemObjectInfo");
    std::vector<T> values(size / sizeof(T));
    check(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, values.size() * sizeof(T), values.data(), 0, nullptr, nullptr),
          "clEnqueueReadBuffer");
    return values;
  }

  // Overwrites a buffer from its start.
  template <class T> void write(const Memory &memory, const std::vector<T> &values) const {
    check(
        clEnqueueWriteBuffer(queue, memory, CL_TRUE, 0, values.size() * sizeof(T), values.data(), 0, nullptr, nullptr),
        "clEnqueueWriteBuffer");
  }

  // Sets all arguments, starting with argument 0: memory objects, Local{bytes} and plain values.
  template <class... Args> void setArguments(const Kernel &kernel, const Args &...arguments) const {
    cl_uint index = 0;
    (setArgument(kernel, index++, arguments), ...);
  }

  // Sets the arguments, launches without waiting, and returns the launch's event.
  template <class... Args>
  Event enqueue(const Kernel &kernel, const std::vector<size_t> &global, const std::vector<size_t> &local,
                const Args &...arguments) const {
    setArguments(kernel, arguments...);
    Event event;
    check(clEnqueueNDRangeKernel(queue, kernel, cl_uint(global.size()), nullptr, global.data(),
                                 local.empty() ? nullptr : local.data(), 0, nullptr, event.out()),
          "clEnqueueNDRangeKernel");
    return event;
  }

  // Sets the arguments, launches and waits. With an empty `local`, the device chooses the local size.
  template <class... Args>
  void run(const Kernel &kernel, const std::vector<size_t> &global, const std::vector<size_t> &local,
           const Args &...arguments) const {
    Event event = enqueue(kernel, global, local, arguments...);
    check(clWaitForEvents(1, event.address()), "clWaitForEvents");
  }

private:
  static void setArgument(const Kernel &kernel, cl_uint index, const Memory &memory) {
    check(clSetKernelArg(kernel, index, sizeof(cl_mem), memory.address()), "clSetKernelArg");
  }
  static void setArgument(const Kernel &kernel, cl_uint index, const Local &local) {
    check(clSetKernelArg(kernel, index, local.bytes, nullptr), "clSetKernelArg");
  }
  template <class T> static void setArgument(const Kernel &kernel, cl_uint index, const T &value) {
    check(clSetKernelArg(kernel, index, sizeof value, &value), "clSetKernelArg");
  }
};

} // namespace lanecl::test
