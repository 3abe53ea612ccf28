// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Records kernels and answers queries about them.
#include "command_buffer/mutable_dispatch.h"

#include "api/entry.h"
#include "api/info.h"
#include "command_buffer/recording.h"

#include <algorithm>

namespace lanecl::icd {

cl_int prepareWork(DispatchState &state, Device &device, LaunchUse use, RecordedWork &work) {
  // CL_INVALID_PROGRAM_EXECUTABLE if there is no successfully built program executable available for the device.
  const KernelBuild *build = state.kernel->build(device);
  if (!build)
    return CL_INVALID_PROGRAM_EXECUTABLE;
  state.chosen = !state.has_local && build->info().required_work_group_size[0] == 0;
  Grid grid;
  const cl_int grid_code = makeGrid(*build, device.units().count, state.request(), grid);
  if (grid_code == CL_SUCCESS || grid.has_edges)
    state.has_edges = grid.has_edges;
  if (grid_code != CL_SUCCESS)
    return grid_code;
  work.complete = checkArguments(*state.kernel) == CL_SUCCESS;
  if (!work.complete || grid.isEmpty())
    return CL_SUCCESS;
  scheduler::Launch launch;
  if (cl_int code = makeLaunch(*state.kernel, *build, grid, state.dimensions, use, launch))
    return code;
  work.launch = scheduler::prepare(std::move(launch));
  return work.launch ? CL_SUCCESS : CL_INVALID_WORK_GROUP_SIZE;
}

namespace {

using command_buffer::CommandProperties;

cl_int readProperty(CommandProperties name, CommandProperties value, MutableDispatch::Properties &properties) {
  switch (name) {
  case CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR:
    properties.fields = value;
    properties.defers_arguments = (value & CL_MUTABLE_DISPATCH_ARGUMENTS_KHR) != 0;
    return (value & ~kUpdatableFields) == 0 ? CL_SUCCESS : CL_INVALID_VALUE;
  case CL_MUTABLE_DISPATCH_ASSERTS_KHR:
    properties.asserts = value;
    return areAsserts(value) ? CL_SUCCESS : CL_INVALID_VALUE;
  default: return CL_INVALID_VALUE;
  }
}

// CL_INVALID_VALUE if values specified in properties are not valid.
cl_int readProperties(const CommandProperties *given, MutableDispatch::Properties &properties) {
  for (const CommandProperties *entry = given; entry && *entry; entry += 2) {
    if (cl_int code = readProperty(entry[0], entry[1], properties))
      return code;
    properties.list.insert(properties.list.end(), {entry[0], entry[1]});
  }
  if (given)
    properties.list.push_back(0);
  return CL_SUCCESS;
}

cl_int readSizes(const LaunchRequest &request, DispatchState &state) {
  // CL_INVALID_WORK_DIMENSION if work_dim is not a valid value.
  if (request.dimensions < 1 || request.dimensions > state.global.size())
    return CL_INVALID_WORK_DIMENSION;
  state.dimensions = request.dimensions;
  state.has_local = request.local != nullptr;
  const auto copy = [&](const size_t *from, DispatchState::Sizes &to) {
    if (from)
      std::copy_n(from, request.dimensions, to.begin());
  };
  copy(request.offset, state.offset);
  copy(request.global, state.global);
  copy(request.local, state.local);
  return CL_SUCCESS;
}

cl_int checkKernel(const CommandBuffer &buffer, cl_kernel handle, const MutableDispatch::Properties &properties,
                   const LaunchRequest &request) {
  if (cl_int code = validate(handle))
    return code;
  const Kernel &kernel = objectOf(handle);
  // CL_INVALID_CONTEXT if the context associated with command_buffer and kernel is not the same.
  if (&kernel.context() != &buffer.context())
    return CL_INVALID_CONTEXT;
  // CL_INVALID_KERNEL_ARGS if the kernel argument values have not been specified and the
  // CL_MUTABLE_DISPATCH_ARGUMENTS_KHR flag was not set in the properties parameter.
  if (!properties.defers_arguments)
    if (cl_int code = checkArguments(kernel))
      return code;
  // CL_INVALID_VALUE if the command buffer or the command asserts that there will be no more work-groups, and
  // local_work_size is NULL.
  return (buffer.properties().asserts | properties.asserts) != 0 && !request.local ? CL_INVALID_VALUE : CL_SUCCESS;
}

cl_int recordKernel(const RecordRequest &request, cl_kernel handle, const LaunchRequest &launch) {
  Recording recording(request);
  if (cl_int code = recording.checkBuffer())
    return code;
  CommandBuffer &buffer = recording.buffer();
  MutableDispatch::Properties properties;
  if (cl_int code = readProperties(request.properties, properties))
    return code;
  if (cl_int code = checkKernel(buffer, handle, properties, launch))
    return code;
  DispatchState state{.kernel = Ref<Kernel>(objectOf(handle))};
  if (cl_int code = readSizes(launch, state))
    return code;
  // The command gets a copy of the kernel if its launch may be prepared again. Later changes of the application's
  // kernel must have no effect on the command.
  const bool is_made_again = (request.handle && buffer.isMutable()) || buffer.canMove();
  if (is_made_again)
    state.kernel = copyKernel(*state.kernel);
  RecordedWork work;
  if (cl_int code = prepareWork(state, recording.queue().device(), LaunchUse::Often, work))
    return code;
  if (cl_int code = recording.checkSyncPoints())
    return code;
  Ref<MutableDispatch> dispatch;
  if (request.handle || is_made_again)
    dispatch =
        make<MutableDispatch>(buffer, recording.queue(), objectOf(handle), std::move(properties), std::move(state));
  if (cl_int code = recording.add(std::move(work)))
    return code;
  if (!dispatch)
    return CL_SUCCESS;
  dispatch->setCommand(recording.command());
  if (request.handle)
    *request.handle = dispatch->handle();
  buffer.keep(std::move(dispatch));
  return CL_SUCCESS;
}

cl_int commandInfo(cl_mutable_command_khr handle, cl_mutable_command_info_khr name, const InfoWriter &info) {
  if (cl_int code = validate(handle))
    return code;
  MutableDispatch &dispatch = objectOf(handle);
  const DispatchState state = dispatch.state();
  const auto sizes = [&](const DispatchState::Sizes &values) {
    return info.list<size_t>(std::span(values).first(state.dimensions));
  };
  switch (name) {
  case CL_MUTABLE_COMMAND_COMMAND_QUEUE_KHR: return info.value<cl_command_queue>(dispatch.queue().handle());
  case CL_MUTABLE_COMMAND_COMMAND_BUFFER_KHR: return info.value<cl_command_buffer_khr>(dispatch.buffer().handle());
  case CL_MUTABLE_COMMAND_COMMAND_TYPE_KHR: return info.value<cl_command_type>(CL_COMMAND_NDRANGE_KERNEL);
  case CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR: return info.list<CommandProperties>(dispatch.properties().list);
  case CL_MUTABLE_DISPATCH_KERNEL_KHR: return info.value<cl_kernel>(dispatch.kernel().handle());
  case CL_MUTABLE_DISPATCH_DIMENSIONS_KHR: return info.value<cl_uint>(state.dimensions);
  case CL_MUTABLE_DISPATCH_GLOBAL_WORK_OFFSET_KHR: return sizes(state.offset);
  case CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR: return sizes(state.global);
  case CL_MUTABLE_DISPATCH_LOCAL_WORK_SIZE_KHR: return sizes(state.local);
  default: return CL_INVALID_VALUE;
  }
}

} // namespace
} // namespace lanecl::icd

namespace lanecl::command_buffer {

using namespace lanecl::icd;

cl_int CL_API_CALL clCommandNDRangeKernelKHR(cl_command_buffer_khr buffer, cl_command_queue queue,
                                             const CommandProperties *properties, cl_kernel kernel, cl_uint dimensions,
                                             const size_t *offset, const size_t *global, const size_t *local,
                                             cl_uint count, const cl_sync_point_khr *points, cl_sync_point_khr *point,
                                             cl_mutable_command_khr *handle) {
  return entry([&] {
    return recordKernel({buffer, queue, properties, count, points, point, handle}, kernel,
                        {dimensions, offset, global, local});
  });
}

cl_int CL_API_CALL clGetMutableCommandInfoKHR(cl_mutable_command_khr command, cl_mutable_command_info_khr param_name,
                                              size_t size, void *value, size_t *size_ret) {
  return entry([&] { return commandInfo(command, param_name, InfoWriter(size, value, size_ret)); }, param_name);
}

} // namespace lanecl::command_buffer
