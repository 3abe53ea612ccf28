// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The part of Core for deferred commands, which are left to a waiting thread for a short time.
#include "core/core.h"

#include <cassert>

namespace lanecl::scheduler {

// How long a command is deferred: longer than a host thread usually needs to enqueue some commands and to wait for
// them.
static constexpr uint64_t kDeferNanoseconds = 20'000;
// The same with ExecutorSettings::left_to_host. A debugger that looks at each new thread makes the host thread slower.
static constexpr uint64_t kLeftToHostNanoseconds = 200'000'000;

void Core::defer(NodePtr node, bool watched) {
  {
    std::lock_guard lock(mutex);
    assert(deferred.empty() == !hasDeferred() && "deferred commands have a time at which workers start them");
    deferred.push(std::move(node));
    deferrals.fetch_add(1, std::memory_order_relaxed);
    if (!hasDeferred())
      deferred_until.store(nanoseconds() + (left_to_host ? kLeftToHostNanoseconds : kDeferNanoseconds));
  }
  if (watched)
    callWorkers();
}

void Core::startDeferred() {
  if (!hasDeferred())
    return;
  {
    std::lock_guard lock(mutex);
    while (NodePtr node = deferred.pop()) {
      addWork(*node, 1);
      ready[size_t(node->priority())].push(std::move(node));
    }
    deferred_until.store(0);
  }
  callWorkers();
}

void Core::startExpired() {
  const uint64_t until = deferred_until.load();
  if (until != 0 && nanoseconds() >= until)
    startDeferred();
}

} // namespace lanecl::scheduler
