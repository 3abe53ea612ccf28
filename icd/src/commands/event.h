// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// cl_event: the application's view of a scheduler event.
#pragma once

#include "check/host/command_checks.h"
#include "commands/queue.h"

#include <cassert>

namespace lanecl::icd {

// A command of one queue is a single scheduler event, `progress`. A command buffer with several queues consists of
// `parts`, and its status and times are computed from all of them.
class Event final : public Object<Event, cl_event, Tag::Event> {
public:
  // Makes the event of a command. attach() adds the scheduler's event after the command is enqueued. Allocating this
  // object first means that no allocation can fail after enqueueing.
  Event(CommandQueue &queue, cl_command_type type)
      : context_(queue.context()), queue_(queue), type_(type), is_timed_(queue.profiles()) {}
  // Makes a user event.
  explicit Event(Context &context)
      : context_(context), type_(CL_COMMAND_USER), progress_(context.devices().front()->scheduler().createUserEvent()),
        order_(noteUserEvent()) {}

  void attach(scheduler::DependencyPtr progress) {
    assert(progress && !progress_ && "the event belongs to another command already");
    progress_ = std::move(progress);
  }
  // For a command of several queues: leaveQueue() is called before it is enqueued. attachParts() adds the commands that
  // it is made of. They wait for `begin`, and `progress` is complete when all of them are.
  void leaveQueue() { queue_ = {}; }
  void attachParts(scheduler::DependencyPtr begin, std::vector<scheduler::DependencyPtr> commands) {
    assert(begin && !commands.empty() && !parts_ && "the parts of a command are attached once");
    parts_ = std::make_unique<const Parts>(std::move(begin), std::move(commands));
  }

  Context &context() const { return *context_; }
  CommandQueue *queue() const { return queue_.get(); } // null for a user event and for a command of several queues
  cl_command_type type() const { return type_; }
  bool isUserEvent() const { return type_ == CL_COMMAND_USER; }
  bool isTimed() const { return is_timed_; }
  const scheduler::DependencyPtr &progress() const { // what others wait for
    assert(progress_ && "the application has the event of a command that is not enqueued");
    return progress_;
  }
  // Status, times and callbacks of the scheduler's event. A command of parts has reached a status when the first part
  // has, but is complete only with the last one.
  scheduler::Status status() const { return parts_ ? statusOfParts() : progress_->status(); }
  scheduler::Status poll() const {
    const scheduler::Status status = progress_->poll();
    return parts_ ? statusOfParts() : status;
  }
  scheduler::Times times() const { return parts_ ? timesOfParts() : progress_->times(); }
  void onStatus(scheduler::Status when, std::function<void(scheduler::Status)> callback) const;
  void setOrder(CommandOrder::Id order) { order_ = order; }
  CommandOrder::Id order() const { return order_; } // 0 outside check mode

private:
  struct Parts {
    scheduler::DependencyPtr begin;
    std::vector<scheduler::DependencyPtr> commands;
  };

  scheduler::Status statusOfParts() const;
  scheduler::Times timesOfParts() const;

  Ref<Context> context_;
  Ref<CommandQueue> queue_;
  cl_command_type type_;
  bool is_timed_ = false;
  scheduler::DependencyPtr progress_;
  std::unique_ptr<const Parts> parts_;
  CommandOrder::Id order_ = 0;
};

} // namespace lanecl::icd

LANECL_HANDLE(cl_event, Event, CL_INVALID_EVENT)
