// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Commands that wait for semaphores and signal them (cl_khr_semaphore).
#include "api/entry.h"
#include "commands/command.h"
#include "semaphores/semaphore.h"
#include "semaphores/signal_watch.h"

#include <atomic>

namespace lanecl::icd {
namespace {

using Semaphores = std::vector<Ref<Semaphore>>;

// The arguments of waiting and signaling, apart from the payloads: binary semaphores need none.
struct Request {
  cl_command_queue queue;
  cl_uint count;
  const cl_semaphore_khr *semaphores;
  WaitArguments waiting;
};

// Returns the semaphores of a request after checking them.
Result<Semaphores> readSemaphores(const Request &request) {
  CommandQueue &queue = objectOf(request.queue);
  // CL_INVALID_VALUE if num_sema_objects is 0.
  if (request.count == 0 || !request.semaphores)
    return Error{CL_INVALID_VALUE};
  Semaphores semaphores;
  for (cl_uint i = 0; i < request.count; ++i) {
    if (cl_int code = validate(request.semaphores[i]))
      return Error{code};
    semaphores.emplace_back(objectOf(request.semaphores[i]));
  }
  for (const Ref<Semaphore> &semaphore : semaphores) {
    // CL_INVALID_CONTEXT if the context associated with command_queue and any of the semaphore objects are not the
    // same.
    if (&semaphore->context() != &queue.context())
      return Error{CL_INVALID_CONTEXT};
    // CL_INVALID_COMMAND_QUEUE if the device associated with command_queue is not one of the semaphore's.
    if (!semaphore->isFor(queue.device().handle()))
      return Error{CL_INVALID_COMMAND_QUEUE};
  }
  return semaphores;
}

// Completes the event `taken` when a signal of each semaphore has been taken. No thread of the device waits meanwhile,
// because the semaphores may be signaled at any time, also by another process.
void takeSignals(const Semaphores &semaphores, const scheduler::DependencyPtr &taken) {
  const auto left = std::make_shared<std::atomic<size_t>>(semaphores.size());
  for (const Ref<Semaphore> &semaphore : semaphores)
    takeSignal(semaphore->signals(), [left, taken, semaphore](bool good) {
      if (!good)
        taken->setUserStatus(scheduler::kOutOfResources);
      else if (left->fetch_sub(1) == 1)
        taken->setUserStatus(scheduler::kComplete);
    });
}

// Signals the semaphores. A command that fails has signaled those before the one that it failed at.
scheduler::Status signalAll(const Semaphores &semaphores) {
  for (const Ref<Semaphore> &semaphore : semaphores)
    if (!semaphore->signals()->signal())
      return scheduler::kOutOfResources;
  return scheduler::kComplete;
}

// Enqueues the waiting. Check mode learns that it comes after the commands that signal the semaphores.
cl_int runWait(Command &command, const Semaphores &semaphores) {
  if (command.isChecked())
    for (const Ref<Semaphore> &semaphore : semaphores)
      command.isBehind(semaphore->order().addWait(noteAwaitedSignal, isSeen));
  return command.runUntil([semaphores](const scheduler::DependencyPtr &taken) { takeSignals(semaphores, taken); });
}

// Enqueues the signaling. Check mode learns of it before, because the semaphores may be signaled, and another thread
// may wait for them, before the enqueueing returns.
cl_int runSignal(Command &command, const Semaphores &semaphores) {
  if (const CommandOrder::Id signal = command.noteOrder(); signal != 0)
    for (const Ref<Semaphore> &semaphore : semaphores)
      if (const CommandOrder::Id awaited = semaphore->order().addSignal(signal, isSeen); awaited != 0)
        noteAwaitedSignalSet(awaited, signal);
  return command.run([semaphores] { return signalAll(semaphores); });
}

cl_int enqueue(const Request &request, cl_command_type type,
               cl_int (*run)(Command &command, const Semaphores &semaphores)) {
  if (cl_int code = validate(request.queue))
    return code;
  auto semaphores = readSemaphores(request);
  if (!semaphores)
    return semaphores.code();
  auto command = Command::prepare(objectOf(request.queue), type, request.waiting);
  if (!command)
    return command.code();
  if (cl_int code = command->checkWaitList())
    return code;
  return run(*command, *semaphores);
}

} // namespace
} // namespace lanecl::icd

using namespace lanecl::icd;

CL_API_ENTRY cl_int CL_API_CALL clEnqueueWaitSemaphoresKHR(cl_command_queue queue, cl_uint count,
                                                           const cl_semaphore_khr *semaphores,
                                                           const cl_semaphore_payload_khr *, cl_uint num_events,
                                                           const cl_event *events, cl_event *event) {
  return entry([&] {
    return enqueue({queue, count, semaphores, {num_events, events, event}}, CL_COMMAND_SEMAPHORE_WAIT_KHR, runWait);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueSignalSemaphoresKHR(cl_command_queue queue, cl_uint count,
                                                             const cl_semaphore_khr *semaphores,
                                                             const cl_semaphore_payload_khr *, cl_uint num_events,
                                                             const cl_event *events, cl_event *event) {
  return entry([&] {
    return enqueue({queue, count, semaphores, {num_events, events, event}}, CL_COMMAND_SEMAPHORE_SIGNAL_KHR, runSignal);
  });
}
