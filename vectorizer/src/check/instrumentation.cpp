// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vectorizer/check.h"

#include <atomic>

namespace lanecl::vectorizer {

static std::atomic<const Instrumentation *> chosen{nullptr}; // never destroyed: kernels may run while a process exits

void instrument(const Instrumentation &how) {
  chosen.store(new Instrumentation(how));
}

const Instrumentation *instrumentation() {
  return chosen.load();
}

} // namespace lanecl::vectorizer
