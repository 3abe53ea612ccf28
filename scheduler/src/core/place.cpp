// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "core/place.h"

#include "core/core.h"
#include "threads/affinity.h"
#include "threads/own_threads.h"

#include <cassert>
#include <cstdio>
#include <cxxabi.h>
#include <utility>

namespace lanecl::scheduler {

namespace {

// The innermost place of the calling thread; `outer` links the others.
thread_local Place *innermost = nullptr;

} // namespace

Place::Place(Core &at, const Taker &thread) : core(at), taker(thread), outer(innermost) {
  innermost = this;
}

Place::~Place() {
  assert(innermost == this && "a thread leaves its places from the innermost outwards");
  assert(!lent && "the place would be given back twice");
  innermost = outer;
  core.giveBackPlace();
}

const Taker *currentTaker() {
  return innermost != nullptr ? &innermost->taker : nullptr;
}

bool hostCodeRunsHere() {
  return !mustNotCallHost();
}

// Exceptions of the host program must not reach the scheduler. The code may block for a lock that a thread holds while
// that thread waits for a command. The calling thread has no place meanwhile, because several such calls could
// otherwise have all places.
void callGuarded(const std::function<void()> &code, const char *what) {
  const ScopedOwnAffinity own;
  const Lending lending;
  try {
    code();
  } catch (const ::abi::__forced_unwind &) { // pthread_exit
    throw;
  } catch (...) {
    std::fprintf(stderr, "LaneCL: %s threw an exception; it was dropped\n", what);
  }
}

void callHostCode(std::function<void()> code) {
  const auto call = [own = std::move(code)] { callGuarded(own, "a callback"); };
  if (hostCodeRunsHere())
    return call();
  try {
    runOnOwnThread(call);
  } catch (const std::exception &) { // there is no memory or no thread
    call();
  }
}

// Stops at a place that is lent already: the places outside of it were lent with it.
Lending::Lending(const Core *busy) : begin(innermost), end(innermost) {
  for (; end != nullptr && !end->lent; end = end->outer) {
    end->lent = true;
    end->core.lendPlace(&end->core != busy);
  }
}

// The thread goes on with its command even if another thread has taken its place meanwhile.
Lending::~Lending() {
  for (Place *place = begin; place != end; place = place->outer) {
    assert(place->lent && "the place would be taken twice");
    place->lent = false;
    place->core.reclaimPlace();
  }
}

} // namespace lanecl::scheduler
