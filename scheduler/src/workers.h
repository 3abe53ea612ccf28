// Where the threads come from.
#pragma once

#include <memory>

namespace lanecl::scheduler {

class Core;

// Has a thread run core->runWorker(). Threads are the process's, not a device's: one that has nothing to do waits some
// seconds for a call, from whatever core, and when none waits another one is made. Blocks on nobody; throws when there
// is no memory or no thread.
void callWorker(std::shared_ptr<Core> core);

} // namespace lanecl::scheduler
