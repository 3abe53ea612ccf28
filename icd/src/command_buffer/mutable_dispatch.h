// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// cl_mutable_command_khr: a recorded kernel, with the state that may be changed before the next enqueue.
#pragma once

#include "command_buffer/command_buffer.h"
#include "device/extension_info.h"
#include "program/launch.h"

namespace lanecl::icd {

inline bool areAsserts(command_buffer::Asserts asserts) {
  return (asserts & ~command_buffer::Asserts(CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR)) == 0;
}

// The arguments and sizes that a recorded kernel runs with.
struct DispatchState {
  using Sizes = std::array<size_t, 3>;

  Ref<Kernel> kernel; // with its arguments; a copy where they may be changed
  cl_uint dimensions = 0;
  Sizes offset{}, global{}, local{}; // 0 where nothing was given
  bool has_local = false;            // else the device chooses
  bool chosen = false;               // whether the device has chosen the local size
  bool has_edges = false;            // the work-groups are not uniform

  LaunchRequest request() const {
    return {dimensions, offset.data(), global.data(), has_local ? local.data() : nullptr};
  }
};

// Checks the sizes and prepares what is to be run. `work` remains incomplete while arguments are missing.
cl_int prepareWork(DispatchState &state, Device &device, LaunchUse use, RecordedWork &work);

class MutableDispatch final : public Object<MutableDispatch, cl_mutable_command_khr, Tag::MutableCommand> {
public:
  struct Properties {
    cl_mutable_dispatch_fields_khr fields = kUpdatableFields;
    command_buffer::Asserts asserts = 0;
    bool defers_arguments = false; // the flag that arguments may be set later was given for this command
    std::vector<command_buffer::CommandProperties> list; // as given, with the terminating zero; empty: none were given
  };

  MutableDispatch(CommandBuffer &buffer, CommandQueue &queue, Kernel &kernel, Properties properties,
                  DispatchState state)
      : buffer_(buffer), queue_(queue), properties_(std::move(properties)), kernel_(kernel), state_(std::move(state)) {}

  CommandBuffer &buffer() const { return buffer_; }
  CommandQueue &queue() const { return queue_; }
  const Properties &properties() const { return properties_; }
  bool allows(cl_mutable_dispatch_fields_khr field) const { return (properties_.fields & field) != 0; }
  Kernel &kernel() const { return *kernel_; } // the application's
  cl_sync_point_khr command() const { return command_; }
  void setCommand(cl_sync_point_khr command) { command_ = command; }

  DispatchState state() const {
    const std::lock_guard lock(mutex_);
    return state_;
  }
  void swapState(DispatchState &state) {
    const std::lock_guard lock(mutex_);
    std::swap(state_, state);
  }

private:
  CommandBuffer &buffer_; // keeps this object, ...
  CommandQueue &queue_;   // and this one of its queues
  const Properties properties_;
  const Ref<Kernel> kernel_;
  cl_sync_point_khr command_ = 0;
  mutable std::mutex mutex_;
  DispatchState state_;
};

struct DispatchUpdate {
  MutableDispatch *dispatch;
  bool had_edges; // before
  DispatchState state;
  RecordedWork work;
};

} // namespace lanecl::icd

LANECL_HANDLE(cl_mutable_command_khr, MutableDispatch, CL_INVALID_MUTABLE_COMMAND_KHR)
