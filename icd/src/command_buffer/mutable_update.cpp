// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// clUpdateMutableCommandsKHR. All changes are checked and prepared first. They are applied at the end, together, so
// that an error leaves the command buffer unchanged.
#include "api/entry.h"
#include "command_buffer/mutable_dispatch.h"
#include "program/kernel_arguments.h"

#include <algorithm>

namespace lanecl::icd {
namespace {

using command_buffer::DispatchConfig;

// Returns true if a list and its length are both given or both absent.
bool isList(const void *list, cl_uint count) {
  return (list != nullptr) == (count != 0);
}

cl_int checkFields(const MutableDispatch &dispatch, const DispatchState &state, const DispatchConfig &config) {
  // CL_INVALID_OPERATION if work_dim is not zero and different from the work_dim set on command recording.
  if (config.work_dim != 0 && config.work_dim != state.dimensions)
    return CL_INVALID_OPERATION;
  // CL_INVALID_OPERATION if the property was not set on command recording, and what it allows is changed.
  const auto changes = [&](bool given, cl_mutable_dispatch_fields_khr field) {
    return given && !dispatch.allows(field);
  };
  if (changes(config.global_work_offset, CL_MUTABLE_DISPATCH_GLOBAL_OFFSET_KHR) ||
      changes(config.global_work_size, CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR) ||
      changes(config.local_work_size, CL_MUTABLE_DISPATCH_LOCAL_SIZE_KHR) ||
      changes(config.num_args != 0 || config.num_svm_args != 0, CL_MUTABLE_DISPATCH_ARGUMENTS_KHR) ||
      changes(config.num_exec_infos != 0, CL_MUTABLE_DISPATCH_EXEC_INFO_KHR))
    return CL_INVALID_OPERATION;
  // CL_INVALID_VALUE if arg_list is NULL and num_args > 0, or arg_list is not NULL and num_args is 0, and so on.
  return isList(config.arg_list, config.num_args) && isList(config.arg_svm_list, config.num_svm_args) &&
                 isList(config.exec_info_list, config.num_exec_infos)
             ? CL_SUCCESS
             : CL_INVALID_VALUE;
}

// Sets arguments in a new copy of the kernel. The errors are those of clSetKernelArg, clSetKernelArgSVMPointer and
// clSetKernelExecInfo.
cl_int changeArguments(DispatchState &state, const DispatchConfig &config) {
  if (config.num_args == 0 && config.num_svm_args == 0 && config.num_exec_infos == 0)
    return CL_SUCCESS;
  state.kernel = copyKernel(*state.kernel);
  const cl_kernel kernel = state.kernel->handle();
  for (const cl_mutable_dispatch_arg_khr &argument : std::span(config.arg_list, config.num_args))
    if (cl_int code = setArgument(kernel, argument.arg_index, argument.arg_size, argument.arg_value))
      return code;
  for (const cl_mutable_dispatch_arg_khr &argument : std::span(config.arg_svm_list, config.num_svm_args))
    if (cl_int code = setSvmPointer(kernel, argument.arg_index, argument.arg_value))
      return code;
  for (const cl_mutable_dispatch_exec_info_khr &info : std::span(config.exec_info_list, config.num_exec_infos))
    if (cl_int code = setExecInfo(kernel, info.param_name, info.param_value_size, info.param_value))
      return code;
  return CL_SUCCESS;
}

void changeSizes(DispatchState &state, const DispatchConfig &config) {
  const auto copy = [&](const size_t *from, DispatchState::Sizes &to) {
    if (from)
      std::copy_n(from, state.dimensions, to.begin());
  };
  copy(config.global_work_offset, state.offset);
  copy(config.global_work_size, state.global);
  copy(config.local_work_size, state.local);
  state.has_local |= config.local_work_size != nullptr;
}

// Returns the update of this command, adding one that starts with the command's present state if there is none.
DispatchUpdate &updateOf(MutableDispatch &dispatch, std::vector<DispatchUpdate> &updates) {
  const auto found = std::find_if(updates.begin(), updates.end(),
                                  [&](const DispatchUpdate &update) { return update.dispatch == &dispatch; });
  if (found != updates.end())
    return *found;
  DispatchState state = dispatch.state();
  const bool has_edges = state.has_edges;
  return updates.emplace_back(DispatchUpdate{&dispatch, has_edges, std::move(state), {}});
}

// Applies a configuration to the prepared updates. Several configurations may change the same command one after the
// other.
cl_int applyConfig(const CommandBuffer &buffer, const DispatchConfig &config, std::vector<DispatchUpdate> &updates) {
  // CL_INVALID_MUTABLE_COMMAND_KHR if command is not a valid mutable command object, or not created from
  // command_buffer.
  if (cl_int code = validate(config.command))
    return code;
  MutableDispatch &dispatch = objectOf(config.command);
  if (&dispatch.buffer() != &buffer)
    return CL_INVALID_MUTABLE_COMMAND_KHR;
  DispatchState &state = updateOf(dispatch, updates).state;
  if (cl_int code = checkFields(dispatch, state, config))
    return code;
  changeSizes(state, config);
  return changeArguments(state, config);
}

cl_int prepareUpdate(DispatchUpdate &update, Device &device) {
  DispatchState &state = update.state;
  const cl_int code = prepareWork(state, device, LaunchUse::Changed, update.work);
  // CL_INVALID_OPERATION if the values of local_work_size and/or global_work_size result in a change to work-group
  // uniformity.
  if (!state.chosen && state.has_edges != update.had_edges)
    return CL_INVALID_OPERATION;
  return code;
}

cl_int checkLists(cl_uint count, const command_buffer::UpdateType *types, const void **configs) {
  // CL_INVALID_VALUE if config_types or configs is NULL and num_configs > 0, or not NULL and num_configs is 0.
  if (!isList(types, count) || !isList(configs, count))
    return CL_INVALID_VALUE;
  // CL_INVALID_VALUE if any element of config_types is not valid, or if any element of configs is NULL.
  for (cl_uint i = 0; i < count; ++i)
    if (types[i] != command_buffer::kDispatchConfig || !configs[i])
      return CL_INVALID_VALUE;
  return CL_SUCCESS;
}

cl_int prepareUpdates(const CommandBuffer &buffer, std::span<const void *const> configs,
                      std::vector<DispatchUpdate> &updates) {
  for (const void *config : configs)
    if (cl_int code = applyConfig(buffer, *static_cast<const DispatchConfig *>(config), updates))
      return code;
  for (DispatchUpdate &update : updates)
    if (cl_int code = prepareUpdate(update, update.dispatch->queue().device()))
      return code;
  return CL_SUCCESS;
}

cl_int updateCommands(cl_command_buffer_khr handle, cl_uint count, const command_buffer::UpdateType *types,
                      const void **configs) {
  if (cl_int code = validate(handle))
    return code;
  CommandBuffer &buffer = objectOf(handle);
  // CL_INVALID_OPERATION if command_buffer has not been finalized, or was not created with
  // CL_COMMAND_BUFFER_MUTABLE_KHR.
  if (buffer.state() == CL_COMMAND_BUFFER_STATE_RECORDING_KHR || !buffer.isMutable())
    return CL_INVALID_OPERATION;
  if (cl_int code = checkLists(count, types, configs))
    return code;
  std::vector<DispatchUpdate> updates;
  uint64_t version;
  do { // repeated when another thread's update was applied in the meantime
    version = buffer.version();
    updates.clear();
    if (cl_int code = prepareUpdates(buffer, {configs, count}, updates))
      return code;
  } while (!buffer.update(version, updates));
  return CL_SUCCESS;
}

} // namespace
} // namespace lanecl::icd

namespace lanecl::command_buffer {

using namespace lanecl::icd;

cl_int CL_API_CALL clUpdateMutableCommandsKHR(cl_command_buffer_khr buffer, cl_uint count, const UpdateType *types,
                                              const void **configs) {
  return entry([&] { return updateCommands(buffer, count, types, configs); });
}

} // namespace lanecl::command_buffer
