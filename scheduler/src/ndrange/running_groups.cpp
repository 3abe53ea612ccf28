// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "scheduler/running_groups.h"

#include "ndrange/running_scope.h"

#include <atomic>

namespace lanecl::scheduler {

namespace {

// A signal handler reads this, so it must not be allocated lazily as dynamic thread-local storage is.
__attribute__((tls_model("initial-exec"))) thread_local const RunningGroups *running = nullptr;

const RunningGroups *exchange(const RunningGroups *groups) {
  const RunningGroups *const before = running;
  std::atomic_signal_fence(std::memory_order_seq_cst); // a handler never finds a partly written record
  running = groups;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  return before;
}

} // namespace

const RunningGroups *runningGroups() {
  return running;
}

RunningScope::RunningScope(const RunningGroups &groups) : before(exchange(&groups)) {}

RunningScope::~RunningScope() {
  exchange(before);
}

NoRunningGroups::NoRunningGroups() : before(exchange(nullptr)) {}

NoRunningGroups::~NoRunningGroups() {
  exchange(before);
}

} // namespace lanecl::scheduler
