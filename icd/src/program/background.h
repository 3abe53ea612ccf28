// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Starts threads for the builds that the application asks to run in the background (clBuildProgram with pfn_notify).
#pragma once

#include <functional>

namespace lanecl::icd {

// Runs `task` on a detached thread of its own. Returns false, without having run it, when no thread can be started.
//
// The process may exit without waiting for the thread.
bool runInBackground(std::function<void()> task);

} // namespace lanecl::icd
