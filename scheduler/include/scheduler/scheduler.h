// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Queues, the dependencies between commands, and the execution of work-groups on threads. This header includes neither
// LLVM nor OpenCL.
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

// The execution status of a command. The numbers are those of cl_int in the OpenCL API: 0 complete, 1 running, 2
// submitted, 3 queued. A negative number is the error code that the command failed with.
using Status = int32_t;
inline constexpr Status kComplete = 0, kRunning = 1, kSubmitted = 2, kQueued = 3;

// When a command reached each status, in nanoseconds of the steady clock. A time is 0 until its status is reached, and
// all are 0 in a queue with Timing::Off.
struct Times {
  uint64_t queued = 0, submitted = 0, started = 0, ended = 0;
};

// A node of the dependency graph: a command, or a user event, which has no work. It counts its dependencies down.
// The last dependency to complete makes it runnable, so no thread has to wait for that.
class Dependency : public std::enable_shared_from_this<Dependency> {
public:
  virtual ~Dependency() = default;
  virtual Status status() const = 0;
  // Returns status(), for a program that asks again and again until it is complete. Deferred commands start,
  // because no thread waits for them. The calling thread yields its processor, which the thread that runs the commands
  // may need. A thread of oneTBB runs commands here, as a waiting thread does.
  virtual Status poll() = 0;
  virtual Times times() const = 0;
  // Blocks the calling thread until it is complete or failed; meanwhile the thread runs commands. A host
  // function or a callback may call this, too: other threads then go on with the device's commands.
  virtual void wait() = 0;
  // Calls `callback` once, with no lock held, as soon as `status() <= when`, which may be at once. The callback's
  // argument is `when`, or the error of a command that failed. A callback never runs on a thread that waits for a
  // command.
  virtual void onStatus(Status when, std::function<void(Status)> callback) = 0;
  // Sets the final status of a user event. Returns false when it was set before, when `status` is not final, or when
  // this is not a user event.
  virtual bool setUserStatus(Status status) = 0;
};
using DependencyPtr = std::shared_ptr<Dependency>;

// How long earlier launches of the same code and local size took. The time of the next launch is estimated from it.
// Thread-safe.
class LaunchHistory {
public:
  // Nanoseconds that one work-group takes; 0 when that is not known yet.
  float groupNanoseconds() const { return nanoseconds.load(std::memory_order_relaxed); }
  void note(float group_nanoseconds) { nanoseconds.store(group_nanoseconds, std::memory_order_relaxed); }
  // Returns whether the next launch is to be measured. Measuring costs time, so only the first four launches, whose
  // caches are still cold, and one in sixteen of the later ones are measured.
  bool measureNext() {
    const uint32_t before = launches.load(std::memory_order_relaxed);
    // Two threads may count as one; the result is an estimate anyway.
    launches.store(before + 1, std::memory_order_relaxed);
    return before < 4 || before % 16 == 0;
  }

  // Threads that update the same cache lines may take longer together than one of them takes alone. noteAlone() records
  // how long a work-group took while one thread ran alone. noteShared() records how long it took while each of
  // `threads` threads ran one work-group. If the second time is more than `threads` times the first, the threads hinder
  // each other.
  void noteAlone(float group_nanoseconds) { alone.store(group_nanoseconds, std::memory_order_relaxed); }
  void noteShared(float group_nanoseconds, unsigned threads) {
    const float limit = alone.load(std::memory_order_relaxed) * static_cast<float>(threads);
    hindered.store(limit > 0 && group_nanoseconds > limit, std::memory_order_relaxed);
  }
  bool threadsHinderEachOther() const { return hindered.load(std::memory_order_relaxed); }

private:
  std::atomic<float> nanoseconds{0}, alone{0};
  std::atomic<bool> hindered{false};
  // `launches` is written by threads that enqueue and `nanoseconds` by threads that run, so they are on different cache
  // lines.
  alignas(64) std::atomic<uint32_t> launches{0};
};

// A hang: no work-group of a launch has made progress for some time, because all that have started wait in loops for
// something that others have to write.
struct Hang {
  const void *facts; // Launch::facts
  // One of the waiting work-groups, and the sub-group of it that waits.
  std::array<uint64_t, 3> group;
  uint64_t sub_group;
  const char *place; // the loop in which it waits, as "file:line", or empty
  uint64_t seconds;
  bool all_have_begun; // whether every work-group of the launch has started
};

// What is recorded about a work-group beside its memory, for the checks of `lanecl check`. The thread that runs the
// work-group holds the record's content; swapWithThread() puts it aside when the work-group is suspended, and back when
// it is resumed.
class GroupRecord {
public:
  virtual ~GroupRecord() = default;
  virtual void swapWithThread() noexcept = 0;
};

// How to run kernels whose work-groups may be suspended, because they wait in loops for other work-groups.
struct Suspension {
  void (*report)(const Hang &hang); // called at most once for a command; its kernel goes on waiting
  uint64_t report_after;            // seconds without progress after which `report` is called; 0: never
  // Makes an empty record for a work-group that starts. Null when nothing is recorded. May throw std::bad_alloc.
  std::unique_ptr<GroupRecord> (*makeRecord)() = nullptr;
};

using ArgumentBlock = std::vector<std::byte, CommandAllocator<std::byte>>;

// One NDRange, ready to run. Sizes are in bytes.
struct Launch {
  abi::WorkGroupFunction entry = nullptr; // for work-groups of the full local size
  // For smaller work-groups at the edges of a non-uniform range, else null.
  abi::WorkGroupFunction edge_entry = nullptr;
  abi::LaunchInfo info{};     // the scheduler fills in `arguments`, and `services` unless it is set
  ArgumentBlock arguments;    // packed, as abi.h describes
  uint64_t local_bytes = 0;   // local memory of one work-group, including that of local arguments
  uint64_t scratch_bytes = 0; // scratch memory of one work-group
  uint64_t stack_bytes = 0;   // how much of the thread's stack the entry points need
  // Whether work-groups atomically update memory that other work-groups of the launch update, too.
  bool updates_atomically = false;
  // If set, work-groups may be suspended. If null, each call of an entry point returns when its work-groups are done.
  const Suspension *waiting = nullptr;
  LaunchHistory *history = nullptr; // lives as long as `keep_alive`; null: no history is kept
  const void *facts = nullptr;      // what RunningGroups names; lives as long as `keep_alive`
  // Keeps the code and the memory objects alive; released when the launch is done.
  std::shared_ptr<const void> keep_alive;
};

class PreparedLaunch;
class Batch; // see scheduler/batch.h
using BatchPtr = std::shared_ptr<const Batch>;

// The work of a command. Returns kComplete or a negative error, and runs with no lock held.
using Work = std::function<Status()>;

// When a command starts that is ready to run. Handing a command to another thread costs more than a short one takes.
enum class Start {
  Now,      // as soon as a thread is free
  Deferred, // left for a short time to the thread that will wait for the command
  ByCaller, // the caller is going to wait for it at once
};

enum class Order { InOrder, OutOfOrder };
enum class Timing { Off, On }; // whether Dependency::times() is filled in
// Ready commands of a queue with a higher priority are taken first. A thread that runs a long launch leaves it between
// work-groups for a command of higher priority. A command waits as long as there is any command of higher priority.
enum class Priority : uint8_t { High, Medium, Low };
inline constexpr size_t kPriorities = 3;

// Errors that the scheduler itself may give to a command; the numbers are those of cl.h.
inline constexpr Status kOutOfResources = -5, kOutOfHostMemory = -6, kWaitListFailed = -14, kInvalidWorkGroupSize = -54;
// Stack size of the threads that this library starts. A launch that needs more fails with kOutOfResources.
inline constexpr uint64_t kWorkerStackBytes = uint64_t{16} << 20;

// A command queue. Thread-safe. When a command fails, the commands that depend on it fail with kWaitListFailed without
// running, whether they depend on it by the queue's order, by a barrier or by a wait list. Commands enqueued after
// finish() do not depend on failures before it.
class Queue {
public:
  virtual ~Queue() = default; // does not wait: pending commands stay alive until they are done
  // Enqueues `work`, which must not block: it runs on a worker, or on any thread that waits for a command.
  virtual DependencyPtr enqueue(Work work, const std::vector<DependencyPtr> &wait_list, Start start = Start::Now) = 0;
  // Enqueues a function of the host program, which may block: until another command is done, or until it gets a lock
  // that a thread holds while it waits for a command. It therefore runs on a thread of this library's own, or on a
  // thread that waits for just this command.
  virtual DependencyPtr enqueueHostFunction(Work function, const std::vector<DependencyPtr> &wait_list) = 0;
  virtual DependencyPtr enqueue(Launch launch, const std::vector<DependencyPtr> &wait_list) = 0;
  virtual DependencyPtr enqueue(BatchPtr batch, const std::vector<DependencyPtr> &wait_list) = 0;
  // Enqueues a command without work that completes after the listed dependencies or, if the wait list is empty, after
  // every earlier command of the queue (OpenCL 5.13, clEnqueueMarkerWithWaitList).
  virtual DependencyPtr enqueueMarker(const std::vector<DependencyPtr> &wait_list) = 0;
  // Enqueues a marker that later commands of the queue wait for (clEnqueueBarrierWithWaitList).
  virtual DependencyPtr enqueueBarrier(const std::vector<DependencyPtr> &wait_list) = 0;
  // Enqueues a command without work. It completes when an ordinary command enqueued at its place could start, and later
  // commands depend on it as they depend on an ordinary command.
  virtual DependencyPtr enqueueGate(const std::vector<DependencyPtr> &wait_list) = 0;
  // Returns a dependency that completes after everything enqueued so far, or null when all of that is complete.
  virtual DependencyPtr pending() = 0;
  virtual void flush() = 0; // starts deferred commands
  // Waits until everything enqueued so far is complete.
  virtual void finish() = 0;
};

struct ExecutorSettings {
  unsigned threads = 0; // how many commands run at a time; 0: one for each processor that this process may use
  // Numbers of the processors that all commands run on, whichever thread runs them. If empty, the system chooses.
  std::vector<unsigned> processors = {};
  // For debuggers, with one thread. A command is left to the thread that waits for it, if the thread waits soon enough,
  // so that the host program's call is on the stack below the kernel.
  bool left_to_host = false;
};

// Executes commands on at most `ExecutorSettings::threads` threads at a time. These are threads of oneTBB, threads that
// wait for a command, and threads of this library's own for code of the host program. In a process forked later, queues
// that createQueue() makes there work. Queues and events that were in use before the fork fail in the child with
// kOutOfResources.
class Executor {
public:
  static std::shared_ptr<Executor> create(const ExecutorSettings &config);
  virtual ~Executor() = default;
  virtual std::unique_ptr<Queue> createQueue(Order order, Timing timing = Timing::Off,
                                             Priority priority = Priority::Medium) = 0;
  virtual DependencyPtr createUserEvent() = 0;
  virtual unsigned threads() const = 0;
};

// Calls `code`, which belongs to the host program and is due on the calling thread. An example is a destructor callback
// when the last reference goes. Such code must not run on a thread of oneTBB, nor on one that waits for a command: it
// may block, take a lock that the waiting thread holds, or end the process. On such a thread, the code is left to a
// thread of this library's own, which calls it soon.
void callHostCode(std::function<void()> code);
bool hostCodeRunsHere(); // whether callHostCode() would call the code at once, on the calling thread

uint64_t nanoseconds(); // now, on the clock of Times

// Returns the system's numbers of the processors that the calling thread may use, or nothing when the system does not
// tell.
std::vector<unsigned> availableProcessors();

} // namespace lanecl::scheduler
