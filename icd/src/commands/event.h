// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// cl_event: the application's view of a scheduler event.
#pragma once

#include "check/command_checks.h"
#include "commands/queue.h"

namespace lanecl::icd {

class Event final : public Object<Event, cl_event, Tag::Event> {
public:
  // Of a command; the scheduler's event follows with attach(), so that no allocation can fail after the command is
  // enqueued.
  Event(CommandQueue &queue, cl_command_type type) : context_(queue.context()), queue_(queue), type_(type) {}
  // A user event.
  explicit Event(Context &context)
      : context_(context), type_(CL_COMMAND_USER), progress_(context.devices().front()->scheduler().createUserEvent()),
        order_(noteUserEvent()) {}

  void attach(scheduler::EventPtr progress) { progress_ = std::move(progress); }

  Context &context() const { return *context_; }
  CommandQueue *queue() const { return queue_.get(); } // null for a user event
  cl_command_type type() const { return type_; }
  bool isUserEvent() const { return type_ == CL_COMMAND_USER; }
  const scheduler::EventPtr &progress() const { return progress_; }
  void setOrder(CommandOrder::Id order) { order_ = order; }
  CommandOrder::Id order() const { return order_; } // in check mode; else 0

private:
  Ref<Context> context_;
  Ref<CommandQueue> queue_;
  cl_command_type type_;
  scheduler::EventPtr progress_;
  CommandOrder::Id order_ = 0;
};

} // namespace lanecl::icd

LANECL_HANDLE(cl_event, Event, CL_INVALID_EVENT)
