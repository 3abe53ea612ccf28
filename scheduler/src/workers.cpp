#include "workers.h"

#include "confinement.h"
#include "core.h"
#include "fork.h"

#include <atomic>
#include <list>
#include <optional>
#include <pthread.h>
#include <system_error>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>

namespace lanecl::scheduler {

namespace {

// The fork generation in which oneTBB was first used, plus 1. Its threads are not there in a forked process, and
// it does not notice.
std::atomic<uint64_t> tbb_started_in{0};

bool tbbUsable() {
  uint64_t expected = 0;
  const uint64_t now = forkGeneration() + 1;
  return tbb_started_in.compare_exchange_strong(expected, now) || expected == now;
}

// oneTBB takes the least of all limits in force, so all devices share one limit, for the sum of their threads: a
// command of one may wait for another's. It never goes down and is never given back: the host program's own use of
// oneTBB is not limited by it, and at exit there is no order to get wrong.
class WorkerLimit {
public:
  static WorkerLimit &get() {
    static WorkerLimit *const instance = new WorkerLimit;
    return *instance;
  }
  void add(unsigned threads) {
    std::lock_guard lock(mutex);
    wanted += threads;
    if (wanted <= allowed)
      return;
    allowed = wanted;
    parallelism.reset();
    // One more than workers, because oneTBB counts the host's thread too.
    parallelism.emplace(tbb::global_control::max_allowed_parallelism, allowed + 1);
  }
  void remove(unsigned threads) {
    std::lock_guard lock(mutex);
    wanted -= threads;
  }

private:
  std::mutex mutex;
  unsigned wanted = 0, allowed = 0;
  // Without this oneTBB takes its threads apart in exit(): commands may still be running on them, and in a forked
  // process they are not there at all, which crashed.
  tbb::task_scheduler_handle keep_scheduler{tbb::attach{}};
  tbb::global_control stack{tbb::global_control::thread_stack_size, kWorkerStackBytes};
  std::optional<tbb::global_control> parallelism;
};

// Cores whose call no worker has answered yet; a core lives until it is answered. The references are here and not in
// the tasks because at the end of the process a leak check does not search oneTBB's memory.
class Calls {
public:
  using Call = std::list<std::shared_ptr<Core>>::iterator;

  static Calls &get() {
    static Calls *const instance = new Calls; // workers may come while the process exits
    return *instance;
  }
  Call add(std::shared_ptr<Core> core) {
    std::lock_guard lock(mutex);
    return waiting.insert(waiting.end(), std::move(core));
  }
  std::shared_ptr<Core> answer(Call call) {
    std::lock_guard lock(mutex);
    std::shared_ptr<Core> core = std::move(*call);
    waiting.erase(call);
    return core;
  }

private:
  std::mutex mutex;
  std::list<std::shared_ptr<Core>> waiting;
};

// A task for a worker. The atomic repeats the hand-over that oneTBB makes anyway, where the thread sanitizer sees it.
struct Visit {
  explicit Visit(Calls::Call which) : call(which) {}
  Visit(Visit &&other) noexcept { call.store(other.call.load(std::memory_order_relaxed), std::memory_order_release); }
  void operator()() const { Calls::get().answer(call.load(std::memory_order_acquire))->runWorker(); }

  std::atomic<Calls::Call> call;
};

} // namespace

// No place is reserved for host threads: those that help do so as executors of the core, not as members of the arena.
struct Workers::Arena {
  explicit Arena(unsigned count) : threads(count), arena(static_cast<int>(count), 0) { WorkerLimit::get().add(count); }
  ~Arena() { WorkerLimit::get().remove(threads); }

  const unsigned threads;
  tbb::task_arena arena;
};

Workers::Workers() = default;

// The arena of a parent process is left alone: its locks may be held by threads that are not here.
Workers::~Workers() {
  if (arena && !tbbUsable())
    (void)arena.release();
}

void Workers::startThread(std::shared_ptr<Core> core, void (Core::*function)()) {
  struct Start {
    std::shared_ptr<Core> core;
    void (Core::*function)();
  };
  const auto run = [](void *argument) -> void * {
    const std::unique_ptr<Start> start(static_cast<Start *>(argument));
    ((*start->core).*start->function)();
    return nullptr;
  };
  const Unconfined unconfined;
  auto start = std::make_unique<Start>(std::move(core), function);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize(&attributes, kWorkerStackBytes);
  pthread_t thread;
  const int failure = pthread_create(&thread, &attributes, run, start.get());
  pthread_attr_destroy(&attributes);
  if (failure != 0)
    throw std::system_error(failure, std::generic_category());
  (void)start.release();
}

void Workers::call(std::shared_ptr<Core> core) {
  const Unconfined unconfined;
  if (!tbbUsable())
    return startThread(std::move(core), &Core::runWorker);
  std::call_once(started, [&] { arena = std::make_unique<Arena>(core->threads()); });
  const Calls::Call call = Calls::get().add(std::move(core));
  try {
    arena->arena.enqueue(Visit(call));
  } catch (...) {
    Calls::get().answer(call);
    throw;
  }
}

} // namespace lanecl::scheduler
