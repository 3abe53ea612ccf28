// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// LLVM runs inside the host program's process: its crashes and fatal errors become failures of the call.
//
// A library of its own (lanecl_crash_guard), because LLVM has one fatal error handler per process and a signal one
// handler: all code that runs LLVM should do it under this guard and not install another.
#pragma once

#include <chrono>
#include <csignal>
#include <functional>
#include <string>

namespace lanecl::vectorizer {

// Runs `work` to its end on a thread of its own, whose stack is large enough for deep recursion in Clang.
// Returns false with a reason when LLVM reported a fatal error, the code crashed, or memory ran out; the objects of
// `work` are then leaked. Signal handlers are installed only during calls; faults of other threads go to the handlers
// that the process had.
bool runGuarded(const std::function<void()> &work, std::string &reason);

// As runGuarded(). Calls `report` once, on the calling thread, if the work has not ended at `when`.
struct LongWork {
  std::chrono::steady_clock::time_point when;
  std::function<void()> report;
};
bool runGuarded(const std::function<void()> &work, std::string &reason, const LongWork &long_work);

// For a process that exits: guarded work ends, and no more begins. Work that asks isAbandoned() may end by itself, for
// a short time; then its threads jump out of LLVM's code or ours, as after a crash. Returns at `until` at the latest;
// false: some work goes on, because it waits elsewhere or the program has replaced the guard's signal handlers.
bool abandonGuarded(std::chrono::steady_clock::time_point until);
bool isAbandoned();

// As sigaction(), for a handler that stays: while calls are guarded it gets the place below the guard's handler, which
// passes on what is not its own.
void installBelowGuard(int signal, const struct sigaction &action, struct sigaction &previous);

} // namespace lanecl::vectorizer
