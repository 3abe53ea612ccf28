// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Waits for signals of semaphores, which may come from other processes, with one thread for all of them.
#pragma once

#include "semaphores/signal_counter.h"

#include <functional>
#include <memory>

namespace lanecl::icd {

// Calls `done` once: with true when it has taken a signal, or with false when no thread can be started to wait for one.
// The call is made either before this function returns or on the thread that waits. Callers that want signals of the
// same counter get them in the order of their calls.
void takeSignal(const std::shared_ptr<SignalCounter> &counter, std::function<void(bool)> done);

} // namespace lanecl::icd
