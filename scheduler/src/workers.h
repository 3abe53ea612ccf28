// Where the threads come from: a oneTBB arena.
#pragma once

#include <memory>
#include <mutex>

namespace lanecl::scheduler {

class Core;

// Nothing is started before the first call. A call never blocks on the threads it asks for.
class Workers {
public:
  Workers();
  ~Workers();
  void call(std::shared_ptr<Core> core); // has one more thread run core->runWorker()

private:
  struct Arena;
  std::once_flag started;
  std::unique_ptr<Arena> arena;
};

} // namespace lanecl::scheduler
