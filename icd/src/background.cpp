#include "background.h"

#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <system_error>
#include <thread>

namespace lanecl::icd {
namespace {

struct Running {
  std::mutex mutex;
  std::condition_variable none;
  unsigned count = 0;
};

Running &running() {
  static Running &instance = *[] {
    std::atexit([] {
      std::unique_lock lock(running().mutex);
      running().none.wait(lock, [] { return running().count == 0; });
    });
    return new Running;
  }();
  return instance;
}

void finished() {
  const std::lock_guard lock(running().mutex);
  if (--running().count == 0)
    running().none.notify_all();
}

} // namespace

bool runInBackground(std::function<void()> task) {
  {
    const std::lock_guard lock(running().mutex);
    ++running().count;
  }
  try {
    std::thread([task = std::move(task)]() mutable {
      task();
      task = nullptr; // its references go before the process may
      finished();
    }).detach();
    return true;
  } catch (const std::system_error &) {
    finished();
    return false;
  }
}

} // namespace lanecl::icd
