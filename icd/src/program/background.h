// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Threads for builds with a callback.
#pragma once

#include <functional>

namespace lanecl::icd {

// Runs `task` on a thread of its own; false when no thread could be started. The process may exit without waiting for
// it.
bool runInBackground(std::function<void()> task);

} // namespace lanecl::icd
