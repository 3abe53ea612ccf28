// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "core/sleepers.h"

#include <cassert>

namespace lanecl::scheduler {

void Sleepers::enter(Sleeper &sleeper) {
  sleeper.next = first;
  first = &sleeper;
  sleeping.fetch_add(1);
}

void Sleepers::leave(const Sleeper &sleeper) {
  Sleeper **link = &first;
  for (; *link != &sleeper; link = &(*link)->next)
    assert(*link != nullptr && "the thread is not among those that sleep");
  *link = sleeper.next;
  [[maybe_unused]] const int slept = sleeping.fetch_sub(1);
  assert(slept > 0 && "more threads have woken than slept");
  if (!sleeper.called)
    return;
  [[maybe_unused]] const int coming = called.fetch_sub(1);
  assert(coming > 0 && "more threads have come than were called");
}

void Sleepers::setCalled(Sleeper &sleeper) {
  assert(!sleeper.called && "the thread would count twice as one that comes");
  sleeper.called = true;
  called.fetch_add(1);
}

void Sleepers::wake(const Node &done) {
  if (sleeping.load() == 0)
    return;
  const std::lock_guard lock(mutex);
  for (Sleeper *sleeper = first; sleeper != nullptr; sleeper = sleeper->next)
    if (sleeper->until == &done)
      sleeper->woken.notify_one();
}

void Sleepers::call(int count) {
  if (count <= 0 || sleeping.load() == 0)
    return;
  const std::lock_guard lock(mutex);
  const uint64_t now = nanoseconds();
  for (Sleeper *sleeper = first; sleeper != nullptr && count > 0; sleeper = sleeper->next) {
    if (sleeper->called || sleeper->callable_from > now)
      continue;
    setCalled(*sleeper);
    sleeper->woken.notify_one();
    --count;
  }
}

} // namespace lanecl::scheduler
