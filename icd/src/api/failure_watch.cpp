// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "api/failure_watch.h"

#include <atomic>

namespace lanecl::icd {

// constinit, because check mode registers itself while the library is loaded.
static constinit std::atomic<void (*)(const FailedCall &) noexcept> watching{nullptr};

void onFailure(void (*report)(const FailedCall &) noexcept) {
  watching = report;
}

void noteFailure(const FailedCall &call) noexcept {
  if (auto *const report = watching.load(std::memory_order_relaxed))
    report(call);
}

} // namespace lanecl::icd
