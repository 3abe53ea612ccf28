// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Keeps the instrumentation that instrument() has chosen for the process.

#include "vectorizer/check.h"

#include <atomic>

namespace lanecl::vectorizer {

// The chosen instrumentation is never destroyed, because kernels may still run while the process exits
static std::atomic<const Instrumentation *> chosen{nullptr};

void instrument(const Instrumentation &how) {
  chosen.store(new Instrumentation(how));
}

const Instrumentation *instrumentation() {
  return chosen.load();
}

} // namespace lanecl::vectorizer
