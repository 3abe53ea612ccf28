// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The process's pool of worker threads.
#pragma once

#include <memory>

namespace lanecl::scheduler {

class Core;

// Has a thread run core->runWorker(). Threads belong to the process, not to a device: an idle one waits some seconds
// for a call from any core, and when none is idle a new one is started. Does not block; throws when there is no memory
// or no thread.
void callWorker(std::shared_ptr<Core> core);

} // namespace lanecl::scheduler
