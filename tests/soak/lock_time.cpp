// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The process's own pthread_mutex_lock, which measures the locks of every library in it, LaneCL's among them. A
// sanitizer has one already.
#include "lock_time.h"

#include <atomic>
#include <cerrno>
#include <dlfcn.h>
#include <pthread.h>

namespace {

std::atomic<int64_t> nanoseconds{0};

} // namespace

std::chrono::nanoseconds lanecl::test::soak::timeInLocks() {
  return std::chrono::nanoseconds(nanoseconds.load());
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !__has_feature(address_sanitizer) &&            \
    !__has_feature(thread_sanitizer)
extern "C" __attribute__((visibility("default"))) int pthread_mutex_lock(pthread_mutex_t *mutex) noexcept {
  using Lock = int (*)(pthread_mutex_t *);
  static std::atomic<Lock> next{nullptr};
  Lock lock = next.load(std::memory_order_relaxed);
  if (!lock)
    next = lock = reinterpret_cast<Lock>(dlsym(RTLD_NEXT, "pthread_mutex_lock"));
  if (const int code = pthread_mutex_trylock(mutex); code != EBUSY)
    return code;
  const auto start = std::chrono::steady_clock::now();
  const int code = lock(mutex);
  nanoseconds += std::chrono::nanoseconds(std::chrono::steady_clock::now() - start).count();
  return code;
}
#endif
