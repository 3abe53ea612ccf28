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
  Event(CommandQueue &queue, cl_command_type type)
      : context_(queue.context()), queue_(queue), type_(type), is_timed_(queue.profiles()) {}
  // A user event.
  explicit Event(Context &context)
      : context_(context), type_(CL_COMMAND_USER), progress_(context.devices().front()->scheduler().createUserEvent()),
        order_(noteUserEvent()) {}

  void attach(scheduler::EventPtr progress) { progress_ = std::move(progress); }
  // Of a command of several queues, before it is enqueued, and what it is made of: commands behind `begin`, which are
  // complete when `progress` is.
  void leaveQueue() { queue_ = {}; }
  void attachParts(scheduler::EventPtr begin, std::vector<scheduler::EventPtr> commands) {
    parts_ = std::make_unique<const Parts>(std::move(begin), std::move(commands));
  }

  Context &context() const { return *context_; }
  CommandQueue *queue() const { return queue_.get(); } // null for a user event, and with several queues
  cl_command_type type() const { return type_; }
  bool isUserEvent() const { return type_ == CL_COMMAND_USER; }
  bool isTimed() const { return is_timed_; }
  const scheduler::EventPtr &progress() const { return progress_; } // to wait for
  // As those of the scheduler's event: of all parts together, as soon as one of them has come so far.
  scheduler::Status status() const { return parts_ ? statusOfParts() : progress_->status(); }
  scheduler::Status poll() const {
    const scheduler::Status status = progress_->poll();
    return parts_ ? statusOfParts() : status;
  }
  scheduler::Times times() const { return parts_ ? timesOfParts() : progress_->times(); }
  void onStatus(scheduler::Status when, std::function<void(scheduler::Status)> callback) const;
  void setOrder(CommandOrder::Id order) { order_ = order; }
  CommandOrder::Id order() const { return order_; } // in check mode; else 0

private:
  struct Parts {
    scheduler::EventPtr begin;
    std::vector<scheduler::EventPtr> commands;
  };

  scheduler::Status statusOfParts() const;
  scheduler::Times timesOfParts() const;

  Ref<Context> context_;
  Ref<CommandQueue> queue_;
  cl_command_type type_;
  bool is_timed_ = false;
  scheduler::EventPtr progress_;
  std::unique_ptr<const Parts> parts_;
  CommandOrder::Id order_ = 0;
};

} // namespace lanecl::icd

LANECL_HANDLE(cl_event, Event, CL_INVALID_EVENT)
