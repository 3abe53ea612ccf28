// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Executor: a core, and the queues and user events that are made for it.

#include "core/core.h"
#include "queue/queue.h"

#include <thread>

namespace lanecl::scheduler {

namespace {

unsigned availableThreads() {
  const auto processors = static_cast<unsigned>(availableProcessors().size());
  return processors != 0 ? processors : std::max(1u, std::thread::hardware_concurrency());
}

class ThreadedExecutor final : public Executor {
public:
  ThreadedExecutor(unsigned threads, std::vector<unsigned> which, bool left_to_host)
      : processors(std::move(which)), core(std::make_shared<Core>(threads, processors, left_to_host)) {}

  std::unique_ptr<Queue> createQueue(Order order, Timing timing, Priority priority) override {
    std::shared_ptr<Core> core = usableCore();
    if (priority != Priority::Medium)
      core->heedPriorities();
    return std::make_unique<DependencyQueue>(std::move(core), order, timing, priority);
  }
  DependencyPtr createUserEvent() override {
    return std::make_shared<Node>(usableCore(), Node::Kind::User, Timing::Off);
  }
  unsigned threads() const override { return core->threads(); }

private:
  // After a fork, the parent's core is never destroyed, because threads that do not exist in the child may hold its
  // locks.
  std::shared_ptr<Core> usableCore() {
    std::lock_guard lock(mutex);
    if (core->lostByFork()) {
      new std::shared_ptr<Core>(core);
      core = std::make_shared<Core>(core->threads(), processors, core->left_to_host);
    }
    return core;
  }

  const std::vector<unsigned> processors;
  std::mutex mutex;
  std::shared_ptr<Core> core;
};

} // namespace

std::vector<unsigned> availableProcessors() {
  const std::optional<ProcessorSet> set = ProcessorSet::ofThisThread();
  return set ? set->numbers() : std::vector<unsigned>();
}

std::shared_ptr<Executor> Executor::create(const ExecutorSettings &settings) {
  return std::make_shared<ThreadedExecutor>(settings.threads != 0 ? settings.threads : availableThreads(),
                                            settings.processors, settings.left_to_host);
}

} // namespace lanecl::scheduler
