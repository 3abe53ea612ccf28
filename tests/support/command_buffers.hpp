// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Command buffers for tests: the extension's functions, looked up by name, and a handle that releases itself.
#pragma once

#include "support/extension.hpp"

#include "icd/command_buffer_api.h"

#include <array>

namespace lanecl::test {

// The functions of cl_khr_command_buffer, cl_khr_command_buffer_mutable_dispatch and
// cl_khr_command_buffer_multi_device.
struct CommandBufferFunctions {
#define LANECL_FUNCTION(name) decltype(&command_buffer::name) name = extensionFunction<decltype(name)>(#name);
  LANECL_FUNCTION(clCreateCommandBufferKHR)
  LANECL_FUNCTION(clRetainCommandBufferKHR)
  LANECL_FUNCTION(clReleaseCommandBufferKHR)
  LANECL_FUNCTION(clFinalizeCommandBufferKHR)
  LANECL_FUNCTION(clEnqueueCommandBufferKHR)
  LANECL_FUNCTION(clGetCommandBufferInfoKHR)
  LANECL_FUNCTION(clCommandBarrierWithWaitListKHR)
  LANECL_FUNCTION(clCommandCopyBufferKHR)
  LANECL_FUNCTION(clCommandCopyBufferRectKHR)
  LANECL_FUNCTION(clCommandCopyBufferToImageKHR)
  LANECL_FUNCTION(clCommandCopyImageKHR)
  LANECL_FUNCTION(clCommandCopyImageToBufferKHR)
  LANECL_FUNCTION(clCommandFillBufferKHR)
  LANECL_FUNCTION(clCommandFillImageKHR)
  LANECL_FUNCTION(clCommandSVMMemcpyKHR)
  LANECL_FUNCTION(clCommandSVMMemFillKHR)
  LANECL_FUNCTION(clCommandNDRangeKernelKHR)
  LANECL_FUNCTION(clUpdateMutableCommandsKHR)
  LANECL_FUNCTION(clGetMutableCommandInfoKHR)
  LANECL_FUNCTION(clRemapCommandBufferKHR)
#undef LANECL_FUNCTION

  static const CommandBufferFunctions &get() {
    static const CommandBufferFunctions functions;
    return functions;
  }
};

inline cl_int retainCommandBuffer(cl_command_buffer_khr buffer) {
  return CommandBufferFunctions::get().clRetainCommandBufferKHR(buffer);
}
inline cl_int releaseCommandBuffer(cl_command_buffer_khr buffer) {
  return CommandBufferFunctions::get().clReleaseCommandBufferKHR(buffer);
}
using CommandBuffer = Handle<cl_command_buffer_khr, retainCommandBuffer, releaseCommandBuffer>;

// Creates a command buffer for these queues. Throws ClError if that fails, as all helpers do.
inline CommandBuffer makeCommandBuffer(const std::vector<cl_command_queue> &queues,
                                       cl_command_buffer_flags_khr flags = 0) {
  const cl_command_buffer_properties_khr properties[] = {CL_COMMAND_BUFFER_FLAGS_KHR, flags, 0};
  cl_int code = CL_SUCCESS;
  CommandBuffer buffer(CommandBufferFunctions::get().clCreateCommandBufferKHR(cl_uint(queues.size()), queues.data(),
                                                                              flags ? properties : nullptr, &code));
  check(code, "clCreateCommandBufferKHR");
  return buffer;
}

inline CommandBuffer makeCommandBuffer(const CommandQueue &queue, cl_command_buffer_flags_khr flags = 0) {
  return makeCommandBuffer(std::vector<cl_command_queue>{queue}, flags);
}

// Short forms of the recording functions, without queue and properties.
struct Recorder : CommandBufferFunctions {
  explicit Recorder(CommandBuffer to) : buffer(std::move(to)) {}
  explicit Recorder(const CommandQueue &queue, cl_command_buffer_flags_khr flags = 0)
      : Recorder(makeCommandBuffer(queue, flags)) {}

  using SyncPoints = std::vector<cl_sync_point_khr>;

  // Records a one-dimensional launch after the given sync points, and returns its own sync point. The functions below
  // do the same for other commands.
  cl_sync_point_khr kernel(const Kernel &kernel, size_t size, const SyncPoints &after = {}) const {
    cl_sync_point_khr point = 0;
    check(clCommandNDRangeKernelKHR(buffer, nullptr, nullptr, kernel, 1, nullptr, &size, nullptr, cl_uint(after.size()),
                                    list(after), &point, nullptr),
          "clCommandNDRangeKernelKHR");
    return point;
  }
  cl_sync_point_khr copy(const Memory &from, const Memory &to, size_t from_offset, size_t to_offset, size_t size,
                         const SyncPoints &after = {}) const {
    cl_sync_point_khr point = 0;
    check(clCommandCopyBufferKHR(buffer, nullptr, nullptr, from, to, from_offset, to_offset, size,
                                 cl_uint(after.size()), list(after), &point, nullptr),
          "clCommandCopyBufferKHR");
    return point;
  }
  cl_sync_point_khr fill(const Memory &memory, int value, size_t offset, size_t size,
                         const SyncPoints &after = {}) const {
    cl_sync_point_khr point = 0;
    check(clCommandFillBufferKHR(buffer, nullptr, nullptr, memory, &value, sizeof value, offset, size,
                                 cl_uint(after.size()), list(after), &point, nullptr),
          "clCommandFillBufferKHR");
    return point;
  }
  cl_sync_point_khr barrier(const SyncPoints &after = {}) const {
    cl_sync_point_khr point = 0;
    check(
        clCommandBarrierWithWaitListKHR(buffer, nullptr, nullptr, cl_uint(after.size()), list(after), &point, nullptr),
        "clCommandBarrierWithWaitListKHR");
    return point;
  }
  void finalize() const { check(clFinalizeCommandBufferKHR(buffer), "clFinalizeCommandBufferKHR"); }
  // Enqueues the finalized command buffer and returns its event.
  Event enqueue() const {
    Event event;
    check(clEnqueueCommandBufferKHR(0, nullptr, buffer, 0, nullptr, event.out()), "clEnqueueCommandBufferKHR");
    return event;
  }
  // Enqueues the command buffer after a command that fails. Returns the event, which has failed by then.
  Event enqueueBehindFailure(const Session &cl) const {
    const Event failing = userEvent(cl.context);
    Event event;
    check(clEnqueueCommandBufferKHR(0, nullptr, buffer, 1, failing.address(), event.out()),
          "clEnqueueCommandBufferKHR");
    check(clSetUserEventStatus(failing, -3), "clSetUserEventStatus");
    const cl_int code = clWaitForEvents(1, event.address());
    check(code == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST ? CL_SUCCESS : CL_INVALID_EVENT, "clWaitForEvents");
    return event;
  }
  // Enqueues the command buffer and waits for it.
  void run() const {
    Event event = enqueue();
    check(clWaitForEvents(1, event.address()), "clWaitForEvents");
  }
  cl_command_buffer_state_khr state() const {
    cl_command_buffer_state_khr state = ~0u;
    check(clGetCommandBufferInfoKHR(buffer, CL_COMMAND_BUFFER_STATE_KHR, sizeof state, &state, nullptr),
          "clGetCommandBufferInfoKHR");
    return state;
  }

  CommandBuffer buffer;

private:
  static const cl_sync_point_khr *list(const SyncPoints &points) { return points.empty() ? nullptr : points.data(); }
};

} // namespace lanecl::test
