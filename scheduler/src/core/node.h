// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The implementation of every Dependency: a node of the dependency graph.
#pragma once

#include "core/crew.h"
#include "core/due_callbacks.h"
#include "scheduler/scheduler.h"

#include <atomic>
#include <cassert>
#include <mutex>
#include <optional>

namespace lanecl::scheduler {

class Core;
class Node;
using NodePtr = std::shared_ptr<Node>;
using Callback = std::function<void(Status)>;

// A list that holds its first element without allocation. Nearly all lists of dependants have only one.
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

// Commands derive from this class. Markers and user events are plain nodes; a marker completes when its dependencies
// are done, a user event when the program says so.
class Node : public Dependency {
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
  void setPriority(Priority priority) { // only before arm()
    assert(pending.load() != 0 && "threads may be reading the priority already");
    urgency = priority;
  }
  // Number of the in-order queue that the command belongs to; 0 when it belongs to none.
  uint64_t sequence() const { return in_sequence; }
  void setSequence(uint64_t number) { // only before arm()
    assert(pending.load() != 0 && "threads may be reading the sequence already");
    in_sequence = number;
  }

  // A node starts with one dependency, which stands for its own construction. arm() drops it. arm() and
  // dependencyDone() return true when that was the last dependency.
  void dependOn(Node &other);
  bool arm() { return dependencyDone(false); }
  bool dependencyDone(bool failed);
  bool dependencyFailed() const { return failed_dependency.load(std::memory_order_relaxed); }

  // Moves on to kSubmitted or kRunning: stamps the time, if times are taken, and calls the callbacks for that status.
  void reach(Status status);
  // Calls the callbacks for the status that is reached now, or has an own thread call them. A thread of oneTBB must not
  // call them, nor a thread that waits: a callback may wait for the same command, or for a lock that this thread holds.
  void announce();
  // Whether there are callbacks. If so, they must see kSubmitted before another thread can run the command.
  bool hasCallbacks() const { return callback_count.load() != 0; }
  // Sets the final status. Returns false when it was set before. Otherwise the caller gets the dependants and has to
  // call announce().
  bool finish(Status status, OneOrMore<NodePtr> &dependants_of_it);
  // Gives a command the status kOutOfResources in a forked process, without touching a lock.
  void failAfterFork();

  // Runs the command on this thread. Returns nothing when other threads still run it; the last of them then completes
  // it.
  virtual std::optional<Status> run() { return kComplete; }
  // Takes part in a command that another thread has started and shares. Returns what run() returns.
  virtual std::optional<Status> join() { return std::nullopt; }
  // Releases what the command holds, when it has run or will never run.
  virtual void dropPayload() {}
  // How much stack the command needs.
  virtual uint64_t stackBytes() const { return 0; }
  // Whether the command runs code of the host program, which may wait for anything.
  virtual bool callsHost() const { return false; }
  // Whether the command's work-groups may wait for what other commands do. A thread that has started such work-groups
  // cannot leave them.
  virtual bool waitsForOthers() const { return false; }
  Crew crew() const { return callsHost() || stackBytes() > kOneTbbStackBytes ? Crew::Own : Crew::OneTbb; }

private:
  class LeftCallbacks;
  bool addDependant(NodePtr dependant);
  struct Registered {
    Status when;
    Callback call;
    DueCallbacks::Token due; // set once the final status is reached
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
  // Whether an own thread has been asked to run the callbacks. It runs all that are due before it resets this.
  std::atomic<bool> left_to_own_thread{false};
  std::atomic<uint64_t> queued, submitted{0}, started{0}, ended{0};
  NodePtr next; // link of the NodeList that this node is in

  std::mutex mutex; // guards `dependants`, `callbacks` and the step to a final status
  OneOrMore<NodePtr> dependants;
  std::vector<Registered> callbacks; // sorted so that the status reached first comes first
};

// A first-in, first-out list. Nodes are linked by a member of their own, so adding one needs no memory and a ready
// command is never lost for lack of it. A node is in one list at a time.
class NodeList {
public:
  NodeList() = default;
  NodeList(const NodeList &) = delete;
  NodeList &operator=(const NodeList &) = delete;
  ~NodeList() {
    while (pop()) // one by one, so that destroying a long chain does not recurse
      ;
  }

  bool empty() const { return first == nullptr; }
  void push(NodePtr node) {
    Node *const added = node.get();
    assert(added != nullptr && added->next == nullptr && added != last && "the node is in a list already");
    (last != nullptr ? last->next : first) = std::move(node);
    last = added;
  }
  NodePtr pop() {
    return takeIf([](const Node &) { return true; });
  }
  // Removes and returns the first node that `wanted` accepts, or null.
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
