// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// OpenCL handles that release themselves.
#pragma once

#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <stdexcept>
#include <string>
#include <utility>

namespace lanecl::test {

// A failed call, with its error code.
struct ClError : std::runtime_error {
  ClError(const std::string &call, cl_int code_)
      : std::runtime_error(call + " returned " + std::to_string(code_)), code(code_) {}
  cl_int code;
};

// Throws ClError if the call failed.
inline void check(cl_int code, const char *call) {
  if (code != CL_SUCCESS)
    throw ClError(call, code);
}

// Owns one reference to an OpenCL object. Copies retain the object, and the destructor releases it.
template <class T, cl_int (*Retain)(T), cl_int (*Release)(T)> class Handle {
public:
  Handle() = default;
  explicit Handle(T handle) : handle_(handle) {} // takes over the caller's reference
  Handle(const Handle &other) : handle_(other.handle_) {
    if (handle_)
      Retain(handle_);
  }
  Handle(Handle &&other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Handle &operator=(Handle other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Handle() { reset(); }

  void reset() {
    if (handle_)
      Release(std::exchange(handle_, nullptr));
  }
  T get() const { return handle_; }
  operator T() const { return handle_; }
  // For calls that return a handle through a pointer. Releases what the handle holds.
  T *out() {
    reset();
    return &handle_;
  }
  const T *address() const { return &handle_; }

private:
  T handle_ = nullptr;
};

using Context = Handle<cl_context, clRetainContext, clReleaseContext>;
using CommandQueue = Handle<cl_command_queue, clRetainCommandQueue, clReleaseCommandQueue>;
using Memory = Handle<cl_mem, clRetainMemObject, clReleaseMemObject>;
using Program = Handle<cl_program, clRetainProgram, clReleaseProgram>;
using Kernel = Handle<cl_kernel, clRetainKernel, clReleaseKernel>;
using Event = Handle<cl_event, clRetainEvent, clReleaseEvent>;

} // namespace lanecl::test
