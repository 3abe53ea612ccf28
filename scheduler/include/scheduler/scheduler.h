// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Queues, events and the execution of work-groups on threads. No LLVM, no OpenCL in this header.
#pragma once

#include "scheduler/command_memory.h"
#include "vectorizer/contract/abi.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace lanecl::scheduler {

// Numbers follow cl_int: 0 complete, 1 running, 2 submitted, 3 queued, negative: failed with that error code.
using Status = int32_t;
inline constexpr Status kComplete = 0, kRunning = 1, kSubmitted = 2, kQueued = 3;

// Nanoseconds of the steady clock; 0 until reached, and always 0 in a queue with Timing::Off.
struct Times {
  uint64_t queued = 0, submitted = 0, started = 0, ended = 0;
};

// A node of the dependency graph: a command, or a user event when it has no work.
// Counts its dependencies down; the last one to complete makes it runnable, and no thread has to wait for that.
class Event : public std::enable_shared_from_this<Event> {
public:
  virtual ~Event() = default;
  virtual Status status() const = 0;
  // status() for a program that asks until the event is complete. Deferred commands start, as no thread waits for them,
  // and the calling thread yields its processor, which the thread that runs them may need. A thread of oneTBB runs
  // commands, as one that waits.
  virtual Status poll() = 0;
  virtual Times times() const = 0;
  // Blocks the calling thread until the event is complete or failed; meanwhile the thread runs commands. A host
  // function or a callback may wait, too: meanwhile other threads go on with the device's commands.
  virtual void wait() = 0;
  // Calls `callback` once, with no lock held, when `status() <= when`; at once if that already holds. Its argument is
  // `when`, or the error of a command that failed. It does not run on a thread that waits for a command.
  virtual void onStatus(Status when, std::function<void(Status)> callback) = 0;
  // User events only: sets the final status. False when it was set before.
  virtual bool setUserStatus(Status status) = 0;
};
using EventPtr = std::shared_ptr<Event>;

// How long launches of the same code and local size took so far, from which the time of the next one is estimated.
// Thread-safe.
class LaunchHistory {
public:
  // Nanoseconds of a work-group; 0: not known.
  float groupNanoseconds() const { return nanoseconds.load(std::memory_order_relaxed); }
  void note(float group_nanoseconds) { nanoseconds.store(group_nanoseconds, std::memory_order_relaxed); }
  // Measuring costs time, too: the first launches are measured, while caches are still cold, and a few of the rest.
  bool measureNext() {
    const uint32_t before = launches.load(std::memory_order_relaxed);
    launches.store(before + 1, std::memory_order_relaxed); // not exact when two threads enqueue: it is an estimate
    return before < 4 || before % 16 == 0;
  }

  // Threads that update the same cache lines may take longer together than one of them alone would. What is noted: how
  // long a work-group took while one thread ran alone, and how long while each of `threads` ran one.
  void noteAlone(float group_nanoseconds) { alone.store(group_nanoseconds, std::memory_order_relaxed); }
  void noteShared(float group_nanoseconds, unsigned threads) {
    const float limit = alone.load(std::memory_order_relaxed) * static_cast<float>(threads);
    hindered.store(limit > 0 && group_nanoseconds > limit, std::memory_order_relaxed);
  }
  bool threadsHinderEachOther() const { return hindered.load(std::memory_order_relaxed); }

private:
  std::atomic<float> nanoseconds{0}, alone{0};
  std::atomic<bool> hindered{false};
  alignas(64) std::atomic<uint32_t> launches{0}; // written by threads that enqueue, `nanoseconds` by those that run
};

// A launch none of whose work-groups has got on for a time: all that have begun wait in loops for what others write.
struct Hang {
  const void *subject; // Launch::subject
  std::array<uint64_t, 3> group;
  uint64_t sub_group; // of that work-group, which waits
  const char *place;  // in this loop: "file:line", or empty
  uint64_t seconds;
  bool all_have_begun; // work-groups of the launch
};

// What is known of a work-group beside its memory: by the thread that runs it, and kept while it is suspended.
class GroupRecord {
public:
  virtual ~GroupRecord() = default;
  virtual void swapWithThread() noexcept = 0;
};

// Of kernels whose work-groups may be suspended.
struct Waiting {
  void (*report)(const Hang &hang); // once for a launch; its kernel goes on waiting
  uint64_t report_after;            // seconds; 0: never
  // An empty one; null: nothing is known. May throw std::bad_alloc.
  std::unique_ptr<GroupRecord> (*makeRecord)() = nullptr;
};

using ArgumentBlock = std::vector<std::byte, CommandAllocator<std::byte>>;

// One NDRange, ready to run.
struct Launch {
  abi::WorkGroupFunction entry = nullptr;      // for work-groups of the full local size
  abi::WorkGroupFunction edge_entry = nullptr; // for smaller ones at the edges of a non-uniform range; else null
  abi::LaunchInfo info{};                      // `arguments` and `services` are filled in by the scheduler
  ArgumentBlock arguments;                     // packed
  uint64_t local_bytes = 0;                    // of one work-group, arguments included
  uint64_t scratch_bytes = 0;                  // of one work-group
  uint64_t stack_bytes = 0;                    // what the entries need of their thread's stack
  bool updates_atomically = false;             // memory that other work-groups update, too
  const Waiting *waiting = nullptr;            // work-groups may be suspended; null: each call returns when all is done
  LaunchHistory *history = nullptr;            // lives as long as `keep_alive`; null: none is kept
  const void *subject = nullptr;               // of RunningGroups; lives as long as `keep_alive`
  std::shared_ptr<const void> keep_alive;      // code, memory objects: released when the launch is done
};

class PreparedLaunch;
class Batch; // see scheduler/batch.h
using BatchPtr = std::shared_ptr<const Batch>;

// Work of a command: returns kComplete or a negative error. Runs with no lock held.
using Work = std::function<Status()>;

// When a command that is ready begins. Handing it to another thread costs more than a short one takes.
enum class Start {
  Now,      // as soon as there is a thread for it
  Deferred, // left for a short time to the thread that will wait for it
  ByCaller, // the caller is going to wait for it at once
};

enum class Order { InOrder, OutOfOrder };
enum class Timing { Off, On }; // whether Event::times() is filled in
// Ready commands of queues with a higher priority are taken first, and a thread that runs a long launch leaves it
// between work-groups for a command of higher priority. A command waits as long as there are any of higher priority.
enum class Priority : uint8_t { High, Medium, Low };
inline constexpr size_t kPriorities = 3;

// Errors that the scheduler itself may give to a command; the numbers of cl.h.
inline constexpr Status kOutOfResources = -5, kOutOfHostMemory = -6, kWaitListFailed = -14, kInvalidWorkGroupSize = -54;
// The stack of a thread of this library's own. A launch that needs more fails with kOutOfResources.
inline constexpr uint64_t kWorkerStackBytes = uint64_t{16} << 20;

// Thread-safe. A command that fails makes those behind it (in order, after a barrier, or by wait list) fail with
// kWaitListFailed without running; commands after finish() do not depend on earlier failures.
class Queue {
public:
  virtual ~Queue() = default; // does not wait: pending commands stay alive until they are done
  // `work` must not block: it runs on a worker, or on any thread that waits for a command.
  virtual EventPtr enqueue(Work work, const std::vector<EventPtr> &wait_list, Start start = Start::Now) = 0;
  // `function` is code of the host program and may block: until another command is done, or for a lock that a thread
  // holds while it waits for one. So it runs on an own thread, or on one that waits for just this command.
  virtual EventPtr enqueueHostFunction(Work function, const std::vector<EventPtr> &wait_list) = 0;
  virtual EventPtr enqueue(Launch launch, const std::vector<EventPtr> &wait_list) = 0;
  virtual EventPtr enqueue(BatchPtr batch, const std::vector<EventPtr> &wait_list) = 0;
  // Completes after every earlier command (empty wait list) or after the listed ones; does no work.
  virtual EventPtr enqueueMarker(const std::vector<EventPtr> &wait_list) = 0;
  // As a marker, and later commands of the queue wait for it.
  virtual EventPtr enqueueBarrier(const std::vector<EventPtr> &wait_list) = 0;
  // Completes where a command would begin that is enqueued now, and counts as one; does no work.
  virtual EventPtr enqueueGate(const std::vector<EventPtr> &wait_list) = 0;
  // Completes after everything enqueued so far; null when all of that is complete.
  virtual EventPtr pending() = 0;
  virtual void flush() = 0; // starts deferred commands
  virtual void finish() = 0;
};

struct Config {
  unsigned threads = 0; // 0: one per processor this process may use
  // All commands run on these, whichever thread runs them; empty: the system chooses.
  std::vector<unsigned> processors = {};
  // For debuggers, with one thread: the thread that waits for a command runs it, if it waits soon enough. Then the host
  // program's call is on the stack behind the kernel.
  bool left_to_host = false;
};

// Executes commands on `Config::threads` threads at a time: those of oneTBB, threads that wait, and threads of this
// library's own for code of the host program. In a process forked later, queues made by createQueue() work; queues and
// events that were in use before the fork fail there with kOutOfResources.
class Device {
public:
  static std::shared_ptr<Device> create(const Config &config);
  virtual ~Device() = default;
  virtual std::unique_ptr<Queue> createQueue(Order order, Timing timing = Timing::Off,
                                             Priority priority = Priority::Medium) = 0;
  virtual EventPtr createUserEvent() = 0;
  virtual unsigned threads() const = 0;
};

// Calls `code`, which is the host program's and due on the calling thread, as a destructor callback is when the last
// reference goes. It must not run on a thread of oneTBB, nor on one that waits for a command: it may block, take a lock
// that the waiting thread holds, or end the process. There an own thread calls it, soon.
void callHostCode(std::function<void()> code);
bool hostCodeRunsHere(); // callHostCode() would call it at once, on the calling thread

uint64_t nanoseconds(); // the clock of Times

// The system's numbers of the processors that the calling thread may use; empty when the system does not say.
std::vector<unsigned> availableProcessors();

} // namespace lanecl::scheduler
