// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What a device executes: ready commands, launches that several threads share, and the threads that take them.
#pragma once

#include "core/blocked.h"
#include "core/due_callbacks.h"
#include "core/node.h"
#include "core/place.h"
#include "core/sleepers.h"
#include "memory/worker_memory.h"
#include "threads/affinity.h"

namespace lanecl::scheduler {

// At most `threads` threads execute commands at any time: workers, and host threads that wait. Each of them has a
// place, which it takes together with the work and gives back after it, so that a thread which only looks for work (and
// may have been preempted) does not keep others from running. A worker is a thread of oneTBB or an own one (Crew), for
// as long as it visits this device. It looks for work for a little while before it leaves; a thread that adds work
// calls workers when too few are looking. Each side first writes its own counter and then reads the other's
// (sequentially consistent), so that either the leaving worker sees the work, or the thread that adds it sees that a
// worker is missing.
//
// A command that waits for another one lends its place for that time, whatever device the other one runs on; so does a
// thread that runs a callback. Afterwards it goes on at once, so for a moment one thread too many may be executing.
//
// Handing a command to another thread costs more than a short one takes. A short command is deferred: a thread that
// waits takes it at once, together with all that becomes ready by it, and a worker takes it only after
// kDeferNanoseconds.
class Core : public std::enable_shared_from_this<Core> {
public:
  explicit Core(unsigned threads, std::span<const unsigned> processors = {}, bool left_to_host = false)
      : left_to_host(left_to_host), max_running(threads), memory(threads), registered(*this) {
    if (!processors.empty())
      bound_to.emplace(processors);
  }

  const bool left_to_host; // see Config

  unsigned threads() const { return max_running; }
  WorkerMemoryPool &workerMemory() { return memory; }

  void submit(NodePtr node, Start start = Start::Now); // ready to run
  void startDeferred();                                // lets workers take all deferred commands
  bool idle() const { return work.load() == 0; }

  // Lets other threads join a launch that the caller has begun, up to `places` at a time; the caller counts as the
  // first.
  void share(const NodePtr &node, unsigned places);
  // The caller takes no more chunks, and no thread can join any more. True for the last participant to leave.
  bool leaveShared(const Node &node);
  // The caller leaves chunks to threads that are in or will join. False, and it has to go on, when none can join any
  // more.
  bool stepAside(const Node &node);

  // From now on launches are shared even when there is one thread, so that it can leave them for a more urgent command.
  void heedPriorities() { priorities.store(true, std::memory_order_relaxed); }
  bool heedsPriorities() const { return priorities.load(std::memory_order_relaxed); }
  // The calling thread should step aside from this node: a more urgent command is ready, or the event is done that the
  // thread waits for.
  bool calledAway(const Node &from) const;
  bool hasMoreUrgent(Priority priority) const; // than that

  void waitFor(Node &node);
  DueCallbacks::Token addDueCallbacks() { return due_callbacks.add(); }
  void awaitDueCallbacks() const { due_callbacks.await(); }
  void wakeThoseWaitingFor(const Node &done) { sleepers.wake(done); }
  void helpWhoPolls(const Node &node);
  // Called when there may be work without a thread for it. False when there is no memory or no thread: then threads
  // that run already, or wait later, do the work.
  bool callWorkers();

  void giveBackPlace() { running.fetch_sub(1); }
  void lendPlace(bool call_workers);
  void reclaimPlace() { running.fetch_add(1); }

  // True in a process that was forked after this device had begun to work: its threads are gone, locks may be held.
  bool lostByFork() const;
  void begin(); // before the first command

private:
  class ThreadEnd;
  struct Task {
    NodePtr node;
    bool join = false;
  };
  struct Shared {
    NodePtr node;
    unsigned participants, places;
    bool open; // others may join
  };
  struct Workers {
    std::atomic<int> work{0};    // things to take for this crew: ready commands, and places in shared launches
    std::atomic<int> looking{0}; // threads that will take work as soon as they see it
    std::atomic<int> called{0};  // workers that were called and have not begun yet
  };
  using ReadyQueues = std::array<NodeList, kPriorities>;
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
  std::atomic<uint64_t> begun_in{0}; // fork generation + 1
  std::atomic<bool> priorities{false};

  std::atomic<int> work{0};                            // things to take: ready commands, and places in shared launches
  std::array<std::atomic<int>, kPriorities> work_of{}; // the same by priority
  std::array<Workers, kCrews> crews;                   // and by crew; threads that wait count as oneTBB's
  std::atomic<int> running{0};                         // places taken

  std::atomic<uint64_t> deferred_until{0}; // nanoseconds(); 0: nothing is deferred
  std::atomic<uint32_t> deferrals{0};      // changes whenever something is deferred

  std::mutex mutex; // guards what follows
  ReadyQueues ready;
  NodeList deferred;
  std::vector<Shared> shared;

  Sleepers sleepers;
  const Registered registered; // when everything above is there
};

} // namespace lanecl::scheduler
