// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Runs builds that have a callback on detached threads.

#include "program/background.h"

#include <system_error>
#include <thread>

namespace lanecl::icd {

bool runInBackground(std::function<void()> task) {
  try {
    std::thread(std::move(task)).detach();
    return true;
  } catch (const std::system_error &) {
    return false;
  }
}

} // namespace lanecl::icd
