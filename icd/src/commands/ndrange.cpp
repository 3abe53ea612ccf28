// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// clEnqueueNDRangeKernel, clEnqueueTask and clGetKernelSuggestedLocalWorkSize.
#include "api/entry.h"
#include "api/recent_names.h"
#include "commands/command.h"
#include "commands/kernel_uses.h"
#include "commands/width_comparison.h"
#include "program/launch.h"

#include <algorithm>

namespace lanecl::icd {
namespace {

// Checks what clEnqueueNDRangeKernel asks of a queue and a kernel. Returns the kernel's build for the device in `build`
// and the sizes of the launch in `grid`.
cl_int prepareGrid(const CommandQueue &queue, const Kernel &kernel, const LaunchRequest &request,
                   const KernelBuild *&build, Grid &grid) {
  // CL_INVALID_CONTEXT if the context associated with command_queue and kernel are not the same.
  if (&queue.context() != &kernel.context())
    return CL_INVALID_CONTEXT;
  if (cl_int code = checkArguments(kernel))
    return code;
  // CL_INVALID_PROGRAM_EXECUTABLE if there is no successfully built program executable available for the device.
  build = kernel.build(queue.device());
  if (!build)
    return CL_INVALID_PROGRAM_EXECUTABLE;
  return makeGrid(*build, queue.device().units().count, request, grid);
}

cl_int enqueueKernel(cl_command_queue queue_handle, cl_kernel kernel_handle, const LaunchRequest &request,
                     cl_command_type type, const WaitArguments &waiting) {
  if (cl_int code = validate(queue_handle, kernel_handle))
    return code;
  CommandQueue &queue = objectOf(queue_handle);
  Kernel &kernel = objectOf(kernel_handle);
  const KernelBuild *build = nullptr;
  Grid grid;
  if (cl_int code = prepareGrid(queue, kernel, request, build, grid))
    return code;
  auto command = Command::prepare(queue, type, waiting);
  if (!command)
    return command.code();
  if (grid.isEmpty())
    return command->run([] { return scheduler::kComplete; }, startOf(false, 0));
  scheduler::Launch launch;
  if (cl_int code = makeLaunch(kernel, *build, grid, request.dimensions, LaunchUse::Once, launch))
    return code;
  if (command->isChecked()) {
    command->startsKernel(kernel.info().name);
    command->uses(usesOf(kernel));
  }
  // Check mode can run a launch at all sub-group sizes instead, to compare the results.
  if (auto comparison = WidthComparison::plan(kernel, *build, grid, request.dimensions, launch))
    return command->runHostFunction([comparison, own = std::make_shared<scheduler::Launch>(std::move(launch))] {
      return comparison->run(std::move(*own));
    });
  return command->run(std::move(launch));
}

cl_int suggestLocalSize(cl_command_queue queue_handle, cl_kernel kernel_handle, const LaunchRequest &request,
                        size_t *suggested) {
  if (cl_int code = validate(queue_handle, kernel_handle))
    return code;
  const CommandQueue &queue = objectOf(queue_handle);
  const Kernel &kernel = objectOf(kernel_handle);
  // The errors of clEnqueueNDRangeKernel apply, and two more: CL_INVALID_GLOBAL_WORK_SIZE if global_work_size is NULL
  // or if any of the values specified in it are zero, and CL_INVALID_VALUE if suggested_local_work_size is NULL.
  const KernelBuild *build = nullptr;
  Grid grid;
  if (cl_int code = prepareGrid(queue, kernel, request, build, grid))
    return code;
  if (grid.isEmpty())
    return CL_INVALID_GLOBAL_WORK_SIZE;
  if (!suggested)
    return CL_INVALID_VALUE;
  std::copy_n(grid.local.begin(), request.dimensions, suggested);
  return CL_SUCCESS;
}

} // namespace
} // namespace lanecl::icd

using namespace lanecl::icd;

CL_API_ENTRY cl_int CL_API_CALL clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                                       const size_t *offset, const size_t *global, const size_t *local,
                                                       cl_uint count, const cl_event *events, cl_event *event) {
  return entry([&] {
    return enqueueKernel(queue, kernel, {dimensions, offset, global, local}, CL_COMMAND_NDRANGE_KERNEL,
                         {count, events, event});
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueTask(cl_command_queue queue, cl_kernel kernel, cl_uint count,
                                              const cl_event *events, cl_event *event) {
  return entry([&] {
    // Equivalent to clEnqueueNDRangeKernel with one work-item in one work-group.
    const size_t one = 1;
    return enqueueKernel(queue, kernel, {1, nullptr, &one, &one}, CL_COMMAND_TASK, {count, events, event});
  });
}

CL_API_ENTRY cl_int CL_API_CALL clGetKernelSuggestedLocalWorkSize(cl_command_queue queue, cl_kernel kernel,
                                                                  cl_uint dimensions, const size_t *offset,
                                                                  const size_t *global, size_t *suggested) {
  return entry([&] { return suggestLocalSize(queue, kernel, {dimensions, offset, global, nullptr}, suggested); });
}

CL_API_ENTRY cl_int CL_API_CALL clGetKernelSuggestedLocalWorkSizeKHR(cl_command_queue queue, cl_kernel kernel,
                                                                     cl_uint dimensions, const size_t *offset,
                                                                     const size_t *global, size_t *suggested) {
  return clGetKernelSuggestedLocalWorkSize(queue, kernel, dimensions, offset, global, suggested);
}
