// Where the threads come from: a oneTBB arena.
#pragma once

#include <memory>
#include <mutex>

namespace lanecl::scheduler {

class Core;

// Nothing is started before the first call. A call never blocks on the threads it asks for, and throws when there is no
// memory or no thread.
class Workers {
public:
  Workers();
  ~Workers();
  void call(std::shared_ptr<Core> core); // has one more thread run core->runWorker()
  // Has a thread that is none of the arena's run a function of the core; its stack is a worker's, too.
  static void startThread(std::shared_ptr<Core> core, void (Core::*function)());

private:
  struct Arena;
  std::once_flag started;
  std::unique_ptr<Arena> arena;
};

} // namespace lanecl::scheduler
