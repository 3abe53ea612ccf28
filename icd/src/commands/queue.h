// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// cl_command_queue: a scheduler queue, and the properties that it was made with.
#pragma once

#include "context/context.h"

#include <memory>
#include <vector>

namespace lanecl::icd {

class CommandQueue final : public Object<CommandQueue, cl_command_queue, Tag::CommandQueue> {
public:
  CommandQueue(Context &context, Device &device, cl_command_queue_properties properties,
               std::vector<cl_queue_properties> property_list,
               scheduler::Priority priority = scheduler::Priority::Medium);
  CommandQueue(const CommandQueue &) = delete;
  ~CommandQueue();

  Context &context() const { return *context_; }
  Device &device() const { return *device_; }
  bool profiles() const { return (properties_ & CL_QUEUE_PROFILING_ENABLE) != 0; }
  cl_command_queue_properties properties() const { return properties_; }
  const std::vector<cl_queue_properties> &propertyList() const { return property_list_; }
  scheduler::Queue &commands() { return *commands_; }

private:
  Ref<Context> context_;
  Ref<Device> device_;
  cl_command_queue_properties properties_;
  // The list that was given to a …WithProperties function, with the terminating zero; otherwise empty.
  std::vector<cl_queue_properties> property_list_;
  std::unique_ptr<scheduler::Queue> commands_;
};

} // namespace lanecl::icd

LANECL_HANDLE(cl_command_queue, CommandQueue, CL_INVALID_COMMAND_QUEUE)
