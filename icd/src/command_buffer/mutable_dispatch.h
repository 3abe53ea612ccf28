// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// cl_mutable_command_khr: a recorded kernel, with the state that the application may change between two enqueues.
#pragma once

#include "command_buffer/command_buffer.h"
#include "device/extension_info.h"
#include "program/launch.h"

#include <cassert>

namespace lanecl::icd {

// Returns true if only known flags are set.
inline bool areAsserts(command_buffer::Asserts asserts) {
  return (asserts & ~command_buffer::Asserts(CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR)) == 0;
}

// The arguments and sizes with which a recorded kernel runs.
struct DispatchState {
  using Sizes = std::array<size_t, 3>;

  Ref<Kernel> kernel; // holds the arguments; a copy of the application's kernel if they may be changed
  cl_uint dimensions = 0;
  Sizes offset{}, global{}, local{}; // 0 where the application gave nothing
  bool has_local = false;            // false: the device chooses the local size
  bool chosen = false;               // the device has chosen the local size, and no required size was given
  bool has_edges = false;            // the work-groups are not uniform

  LaunchRequest request() const {
    return {dimensions, offset.data(), global.data(), has_local ? local.data() : nullptr};
  }
};

// Checks the sizes in `state` and prepares the launch in `work`. `work` remains incomplete while arguments are missing.
// Updates `state.chosen` and `state.has_edges`.
cl_int prepareWork(DispatchState &state, Device &device, LaunchUse use, RecordedWork &work);

// The handle of a recorded kernel. The command buffer owns it.
class MutableDispatch final : public Object<MutableDispatch, cl_mutable_command_khr, Tag::MutableCommand> {
public:
  struct Properties {
    cl_mutable_dispatch_fields_khr fields = kUpdatableFields; // what the application may change
    command_buffer::Asserts asserts = 0;
    bool defers_arguments = false; // CL_MUTABLE_DISPATCH_ARGUMENTS_KHR was given: arguments may be set later
    std::vector<command_buffer::CommandProperties> list; // as given, with the terminating zero; empty: none were given
  };

  MutableDispatch(CommandBuffer &buffer, CommandQueue &queue, Kernel &kernel, Properties properties,
                  DispatchState state)
      : buffer_(buffer), queue_(queue), properties_(std::move(properties)), kernel_(kernel), state_(std::move(state)) {}

  CommandBuffer &buffer() const { return buffer_; }
  CommandQueue &queue() const { return queue_; }
  const Properties &properties() const { return properties_; }
  bool allows(cl_mutable_dispatch_fields_khr field) const { return (properties_.fields & field) != 0; }
  Kernel &kernel() const { return *kernel_; } // the kernel object that the application recorded
  cl_sync_point_khr command() const { return command_; }
  void setCommand(cl_sync_point_khr command) {
    assert(command_ == 0 && command != 0 && "a handle stands for one command");
    command_ = command;
  }

  DispatchState state() const {
    const std::lock_guard lock(mutex_);
    return state_;
  }
  void swapState(DispatchState &state) {
    const std::lock_guard lock(mutex_);
    std::swap(state_, state);
  }

private:
  CommandBuffer &buffer_; // owns this object
  CommandQueue &queue_;   // one of the queues of `buffer_`
  const Properties properties_;
  const Ref<Kernel> kernel_;
  cl_sync_point_khr command_ = 0;
  mutable std::mutex mutex_;
  DispatchState state_;
};

// A change that is prepared, and is then applied together with others by CommandBuffer::update().
struct DispatchUpdate {
  MutableDispatch *dispatch;
  bool had_edges; // whether the work-groups were not uniform before
  DispatchState state;
  RecordedWork work;
};

} // namespace lanecl::icd

LANECL_HANDLE(cl_mutable_command_khr, MutableDispatch, CL_INVALID_MUTABLE_COMMAND_KHR)
