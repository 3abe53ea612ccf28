// A node of the dependency graph: what stands behind every Event.
#pragma once

#include "scheduler/scheduler.h"

#include <atomic>
#include <mutex>
#include <optional>

namespace lanecl::scheduler {

class Core;
class Node;
using NodePtr = std::shared_ptr<Node>;
using Callback = std::function<void(Status)>;

// One element without allocation, which is the common case by far.
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
  enum class Kind : uint8_t { User, Marker, Command };

  Node(std::shared_ptr<Core> owner, Kind node_kind, Timing timing);
  ~Node() override;

  Status status() const override { return current.load(); }
  Times times() const override;
  void wait() override;
  void onStatus(Status when, Callback callback) override;
  bool setUserStatus(Status status) override;

  bool done() const { return status() <= kComplete; }
  Kind kind() const { return node_kind; }
  Core &owner() const { return *core; }
  Priority priority() const { return urgency; }
  void setPriority(Priority priority) { urgency = priority; } // before it is armed

  // Dependencies. A node starts with one that stands for its own construction; arm() drops it.
  void dependOn(Node &other);
  bool arm() { return dependencyDone(false); }
  bool dependencyDone(bool failed); // true for the last one
  bool dependencyFailed() const { return failed_dependency.load(std::memory_order_relaxed); }

  // Moves on to kSubmitted or kRunning: stamps the time, if times are taken, and runs the callbacks that waited for it.
  void reach(Status status);
  // Callbacks must see kSubmitted before another thread can run the command; this tells whether there are any.
  bool hasCallbacks() const { return callback_count.load() != 0; }
  // Final status. False when there was one before; else the dependants and the callbacks are the caller's.
  struct Finished {
    OneOrMore<NodePtr> dependants;
    std::vector<std::pair<Status, Callback>> callbacks;
  };
  bool finish(Status status, Finished &result);
  void failAfterFork();
  void sleepUntilDone() const;

  // Runs the command on this thread. Nothing: other threads are still at it, the last of them completes it.
  virtual std::optional<Status> run() { return kComplete; }
  // Runs a part of a command that another thread shares; as run().
  virtual std::optional<Status> join() { return std::nullopt; }
  virtual void dropPayload() {}
  virtual uint64_t stackBytes() const { return 0; }

private:
  bool addDependant(NodePtr dependant);
  void fireReached();
  void stampEnd();

  const std::shared_ptr<Core> core;
  const Kind node_kind;
  const bool timed;
  Priority urgency = Priority::Medium;
  std::atomic<bool> failed_dependency{false};
  std::atomic<Status> current{kQueued};
  std::atomic<uint32_t> pending{1};
  std::atomic<uint32_t> callback_count{0};
  std::atomic<uint64_t> queued, submitted{0}, started{0}, ended{0};

  std::mutex mutex; // guards what follows, and the step to a final status
  OneOrMore<NodePtr> dependants;
  std::vector<std::pair<Status, Callback>> callbacks; // the earliest status first
};

// Runs user code that must not take the scheduler down with an exception.
void callGuarded(const Callback &callback, Status status);

} // namespace lanecl::scheduler
