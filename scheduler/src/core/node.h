// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A node of the dependency graph: the implementation of every Event.
#pragma once

#include "core/crew.h"
#include "core/due_callbacks.h"
#include "scheduler/scheduler.h"

#include <atomic>
#include <mutex>
#include <optional>

namespace lanecl::scheduler {

class Core;
class Node;
using NodePtr = std::shared_ptr<Node>;
using Callback = std::function<void(Status)>;

// A vector that holds one element without allocation: the common case by far.
template <typename T> struct OneOrMore {
  std::optional<T> first;
  std::vector<T> more;

  void push(T value) {
    if (!first)
      first.emplace(std::move(value));
    else
      more.push_back(std::move(value));
  }
  template <typename F> void forEach(F visit) {
    if (first)
      visit(*first);
    for (T &value : more)
      visit(value);
  }
};

class Node : public Event {
public:
  friend class NodeList;
  enum class Kind : uint8_t { User, Marker, Command };

  Node(std::shared_ptr<Core> owner, Kind node_kind, Timing timing);
  ~Node() override;

  Status status() const override { return current.load(); }
  Status poll() override;
  Times times() const override;
  void wait() override;
  void onStatus(Status when, Callback callback) override;
  bool setUserStatus(Status status) override;

  bool done() const { return status() <= kComplete; }
  Kind kind() const { return node_kind; }
  Core &owner() const { return *core; }
  Priority priority() const { return urgency; }
  void setPriority(Priority priority) { urgency = priority; } // before it is armed
  // The number of the queue whose commands run in the order in which they were enqueued; 0: of none.
  uint64_t sequence() const { return in_sequence; }
  void setSequence(uint64_t number) { in_sequence = number; } // before it is armed

  // Dependencies. A node starts with one that stands for its own construction; arm() drops it.
  void dependOn(Node &other);
  bool arm() { return dependencyDone(false); }
  bool dependencyDone(bool failed); // true for the last one
  bool dependencyFailed() const { return failed_dependency.load(std::memory_order_relaxed); }

  // Moves on to kSubmitted or kRunning: stamps the time, if times are taken, and announces it.
  void reach(Status status);
  // Runs the callbacks for the status that is reached now, or has an own thread run them. A thread of oneTBB must not
  // run them, nor one that waits: a callback may wait for the same command, or for a lock that this thread holds.
  void announce();
  // Callbacks must see kSubmitted before another thread can run the command; this tells whether there are any.
  bool hasCallbacks() const { return callback_count.load() != 0; }
  // Sets the final status. False when it was set before; else the caller gets the dependants and has to announce() it.
  bool finish(Status status, OneOrMore<NodePtr> &dependants_of_it);
  void failAfterFork();

  // Runs the command on this thread. Nothing: other threads still run it, and the last of them completes it.
  virtual std::optional<Status> run() { return kComplete; }
  // Takes part in a command that another thread shares; returns as run().
  virtual std::optional<Status> join() { return std::nullopt; }
  virtual void dropPayload() {}
  virtual uint64_t stackBytes() const { return 0; }
  // It runs code of the host program, which may wait for anything.
  virtual bool callsHost() const { return false; }
  // Its work-groups may wait for what other commands do. A thread that has begun some cannot leave them.
  virtual bool waitsForOthers() const { return false; }
  Crew crew() const { return callsHost() || stackBytes() > kOneTbbStackBytes ? Crew::Own : Crew::OneTbb; }

private:
  class LeftCallbacks;
  bool addDependant(NodePtr dependant);
  struct Registered {
    Status when;
    Callback call;
    DueCallbacks::Token due; // once the final status is reached
  };

  std::optional<Registered> takeReached();
  void awaitDueCallbacks() const;
  void fireReached();
  bool leaveCallbacksToOwnThread();
  bool anyReached();
  void stampEnd();

  const std::shared_ptr<Core> core;
  const Kind node_kind;
  const bool timed;
  Priority urgency = Priority::Medium;
  uint64_t in_sequence = 0;
  std::atomic<bool> failed_dependency{false};
  std::atomic<Status> current{kQueued};
  std::atomic<uint32_t> pending{1};
  std::atomic<uint32_t> callback_count{0};
  std::atomic<bool> left_to_own_thread{false}; // which runs all callbacks that are due before it sets this back
  std::atomic<uint64_t> queued, submitted{0}, started{0}, ended{0};
  NodePtr next; // in a NodeList

  std::mutex mutex; // guards what follows, and the step to a final status
  OneOrMore<NodePtr> dependants;
  std::vector<Registered> callbacks; // the earliest status first
};

// A first-in, first-out list. Adding a node needs no memory, so a ready command is never lost for lack of it. A node is
// in one list at a time.
class NodeList {
public:
  NodeList() = default;
  NodeList(const NodeList &) = delete;
  NodeList &operator=(const NodeList &) = delete;
  ~NodeList() {
    while (pop()) // one by one: a chain must not become a recursion
      ;
  }

  bool empty() const { return first == nullptr; }
  void push(NodePtr node) {
    Node *const added = node.get();
    (last != nullptr ? last->next : first) = std::move(node);
    last = added;
  }
  NodePtr pop() {
    return takeIf([](const Node &) { return true; });
  }
  // The first that `wanted` accepts, or null.
  template <typename Wanted> NodePtr takeIf(Wanted wanted) {
    Node *before = nullptr;
    for (NodePtr *link = &first; *link; before = link->get(), link = &before->next) {
      if (!wanted(**link))
        continue;
      NodePtr taken = std::move(*link);
      *link = std::move(taken->next);
      if (last == taken.get())
        last = before;
      return taken;
    }
    return nullptr;
  }

private:
  NodePtr first;
  Node *last = nullptr;
};

} // namespace lanecl::scheduler
