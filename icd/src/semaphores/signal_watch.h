// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Waiting for signals of semaphores, which may come from other processes, without a thread for each.
#pragma once

#include "semaphores/signal_counter.h"

#include <functional>
#include <memory>

namespace lanecl::icd {

// Calls `done` once, here or on the thread that waits: with true when it has taken a signal, with false when no thread
// can wait. Those who want signals of the same counter get them in the order of their calls.
void takeSignal(const std::shared_ptr<SignalCounter> &counter, std::function<void(bool)> done);

} // namespace lanecl::icd
