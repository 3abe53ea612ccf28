// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Guards calls of LLVM: a crash or a fatal error of LLVM, which runs inside the host program's process, becomes a
// failure of the guarded call.
//
// The guard is a library of its own (lanecl_crash_guard), because LLVM has one fatal error handler per process and each
// signal one handler. All code that runs LLVM should do so under this guard, and should not install handlers of its
// own.
#pragma once

#include <chrono>
#include <csignal>
#include <functional>
#include <string>

namespace lanecl::vectorizer {

// Runs `work` to its end, on a thread of its own whose stack is large enough for deep recursion in Clang. Returns false
// with a reason if LLVM reported a fatal error, the code crashed, or memory ran out. The objects of `work` are leaked
// in that case. Signal handlers are installed only during calls, and faults of other threads are passed to the handlers
// that the process had before.
bool runGuarded(const std::function<void()> &work, std::string &reason);

// A time limit for guarded work: if the work has not ended at `when`, `report` is called once, on the calling thread,
// and the work goes on.
struct LongWork {
  std::chrono::steady_clock::time_point when;
  std::function<void()> report;
};
// Runs `work` as above, with a time limit after which it is reported.
bool runGuarded(const std::function<void()> &work, std::string &reason, const LongWork &long_work);

// Ends guarded work in a process that exits, and prevents new work. Work that polls isAbandoned() gets a short time to
// end by itself; then its thread jumps out of the code of LLVM or LaneCL, as after a crash. Returns at `until` at the
// latest. Returns false if some work goes on, because it waits elsewhere or because the program has replaced the
// guard's signal handlers.
bool abandonGuarded(std::chrono::steady_clock::time_point until);
// Whether abandonGuarded() has been called, so that work should end.
bool isAbandoned();

// Installs a signal handler for good, like sigaction(). While calls are guarded, the handler is placed below the
// guard's own handler, which passes on the signals that are not its own.
void installBelowGuard(int signal, const struct sigaction &action, struct sigaction &previous);

} // namespace lanecl::vectorizer
