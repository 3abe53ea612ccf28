// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The core of a device: its ready commands, the launches that several threads share, and the threads that take them.
#pragma once

#include "core/blocked.h"
#include "core/due_callbacks.h"
#include "core/node.h"
#include "core/place.h"
#include "core/sleepers.h"
#include "memory/worker_memory.h"
#include "threads/affinity.h"

#include <cassert>

namespace lanecl::scheduler {

// At most `threads` threads execute commands at any time: workers, and host threads that wait. Each of them has a
// place, which it takes together with the work and gives back after it. A thread that only looks for work has no place,
// so it keeps no other thread from running even if it is preempted.
//
// A worker is a thread of oneTBB or an own one (see Crew), for as long as it visits this device. It looks for work for
// a short while before it leaves. A thread that adds work calls workers when too few are looking. Each side first
// writes its own counter and then reads the other's, both sequentially consistent. Therefore either the leaving worker
// sees the work, or the thread that adds it sees that a worker is missing.
//
// A command that waits for another one lends its place for that time, whatever device the other one runs on. So does a
// thread that runs a callback. It goes on at once afterwards, so for a moment one thread too many may be executing.
//
// Handing a command to another thread costs more than a short command takes, so a short command is deferred. A thread
// that waits takes it at once, together with all that becomes ready by it; a worker takes it only after
// kDeferNanoseconds.
class Core : public std::enable_shared_from_this<Core> {
public:
  explicit Core(unsigned threads, std::span<const unsigned> processors = {}, bool left_to_host = false)
      : left_to_host(left_to_host), max_running(threads), memory(threads), registered(*this) {
    assert(threads != 0 && "a device without threads would never run anything");
    if (!processors.empty())
      bound_to.emplace(processors);
  }

  const bool left_to_host; // see ExecutorSettings

  unsigned threads() const { return max_running; }
  WorkerMemoryPool &workerMemory() { return memory; }

  void submit(NodePtr node, Start start = Start::Now); // takes a node that is ready to run
  void startDeferred();                                // lets workers take all deferred commands
  // No command is ready and no shared launch has room for another thread. Deferred commands do not count.
  bool idle() const { return work.load() == 0; }

  // Lets other threads join a launch that the caller has started. Up to `places` threads take part at a time, the
  // caller included.
  void share(const NodePtr &node, unsigned places);
  // The caller takes no more chunks, and no thread can join any more. Returns true for the last participant to leave.
  bool leaveShared(const Node &node);
  // The caller leaves the remaining chunks to the threads that take part or will join. Returns false when no thread can
  // join any more; the caller then has to go on.
  bool stepAside(const Node &node);

  // From now on launches are shared even when the device has one thread, so that the thread can leave them for a more
  // urgent command.
  void heedPriorities() { priorities.store(true, std::memory_order_relaxed); }
  bool heedsPriorities() const { return priorities.load(std::memory_order_relaxed); }
  // Returns whether the calling thread should step aside from this node: a more urgent command is ready, or the event
  // that the thread waits for is done.
  bool calledAway(const Node &from) const;
  bool hasMoreUrgent(Priority priority) const; // whether there is work of a higher priority

  void waitFor(Node &node);
  // Runs commands on the calling thread until the node is done, and sleeps when there are none.
  DueCallbacks::Token addDueCallbacks() { return due_callbacks.add(); }
  void awaitDueCallbacks() const { due_callbacks.await(); }
  void wakeThoseWaitingFor(const Node &done) { sleepers.wake(done); }
  void helpWhoPolls(const Node &node);
  // Called when there may be work without a thread for it. Returns false when there is no memory or no thread for a
  // worker. In that case the threads that run already, or that wait later, do the work.
  bool callWorkers();

  void giveBackPlace() {
    [[maybe_unused]] const int before = running.fetch_sub(1);
    assert(before > 0 && "a place is given back that no thread has taken");
  }
  // Gives the place back until reclaimPlace(), and calls workers for it if `call_workers`.
  void lendPlace(bool call_workers);
  void reclaimPlace() { running.fetch_add(1); }

  // True in a process that was forked after this device had started to work. Its threads do not exist there, and its
  // locks may be held.
  bool lostByFork() const;
  void begin(); // called before the first command

private:
  // A command that a thread has taken. `join`: the thread takes part in a launch that another one has started.
  class ThreadEnd;
  struct Task {
    NodePtr node;
    bool join = false;
  };
  // A launch that several threads share.
  struct Shared {
    // How many threads take part, and how many may.
    NodePtr node;
    unsigned participants, places;
    bool open; // whether others may join
  };
  struct Workers {
    std::atomic<int> work{0};    // what this crew may take: ready commands, and places in shared launches
    std::atomic<int> looking{0}; // threads that take work as soon as they see it
    std::atomic<int> called{0};  // workers that were called and have not started yet
  };
  using ReadyQueues = std::array<NodeList, kPriorities>;
  // NotHere: there is work, but the calling thread may not take it.
  enum class Taken { Task, Nothing, NotHere };

  Workers &of(Crew crew) { return crews[size_t(crew)]; }
  bool hasDeferred() const { return deferred_until.load() != 0; }
  int freePlaces() const { return static_cast<int>(max_running) - running.load(); }
  bool hasPlace() const { return freePlaces() > 0; }
  void defer(NodePtr node, bool watched);
  void startExpired();
  void addWork(const Node &node, int count);
  bool callWorkersUpTo(Crew crew, int wanted);
  bool leaveToOtherCrew(Crew crew);
  bool sleepUntilDoneOrCalled(const Node &node, uint64_t callable_from);
  void callWorker(Crew crew);
  void runWorker(Crew crew);
  bool runCommands(Crew crew, uint64_t begin);
  static void leaveOneTbb();
  bool hasWorkFor(Crew crew);
  Taken take(Task &task, const Taker &taker);
  std::vector<Shared>::iterator findShared(const Node &node);
  bool takeMostUrgent(Task &task, const Taker &taker);
  bool takeShared(Task &task, Priority priority, const Taker &taker);
  bool takeFirst(NodeList &from, Task &task, const Taker &taker);
  void execute(Task task, const Taker &taker);
  Taken help(const Taker &taker);
  template <typename Stop> bool lookForWork(Crew crew, Stop stop);

  const ProcessorSet *boundTo() const { return bound_to ? &*bound_to : nullptr; }

  const unsigned max_running;
  std::optional<ProcessorSet> bound_to;
  WorkerMemoryPool memory;
  DueCallbacks due_callbacks;
  std::atomic<uint64_t> begun_in{0}; // fork generation + 1 in which the first command was enqueued; 0: none was
  std::atomic<bool> priorities{false};

  // What can be taken: ready commands, and places in shared launches. The same number is kept by priority and by crew.
  std::atomic<int> work{0};
  std::array<std::atomic<int>, kPriorities> work_of{};
  std::array<Workers, kCrews> crews; // threads that wait count as threads of oneTBB
  std::atomic<int> running{0};       // number of places taken

  // Time, in nanoseconds(), when workers start what is deferred; 0: nothing is deferred.
  std::atomic<uint64_t> deferred_until{0};
  std::atomic<uint32_t> deferrals{0}; // counts every deferral, so that a worker notices one

  std::mutex mutex; // guards the three lists below
  ReadyQueues ready;
  NodeList deferred;
  std::vector<Shared> shared;

  Sleepers sleepers;
  const Registered registered; // last, so that the core is listed only when everything above exists
};

} // namespace lanecl::scheduler
