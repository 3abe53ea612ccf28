// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "core/place.h"

#include "core/core.h"
#include "threads/affinity.h"
#include "threads/own_threads.h"

#include <cstdio>
#include <cxxabi.h>
#include <utility>

namespace lanecl::scheduler {

namespace {

thread_local Place *innermost = nullptr;

} // namespace

Place::Place(Core &at, const Taker &thread) : core(at), taker(thread), outer(innermost) {
  innermost = this;
}

Place::~Place() {
  innermost = outer;
  core.giveBackPlace();
}

const Taker *currentTaker() {
  return innermost != nullptr ? &innermost->taker : nullptr;
}

bool hostCodeRunsHere() {
  return !mustNotCallHost();
}

// Its exceptions must not reach the scheduler. It may block for a lock that a thread holds while that waits for a
// command. So the thread has no place meanwhile: several such calls could have all of them.
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
  } catch (const std::exception &) { // no memory, or no thread
    call();
  }
}

// The places outside of a lent one were lent with it.
Lending::Lending(const Core *busy) : begin(innermost), end(innermost) {
  for (; end != nullptr && !end->lent; end = end->outer) {
    end->lent = true;
    end->core.lendPlace(&end->core != busy);
  }
}

// The thread goes on with its command even when another one has taken its place by now.
Lending::~Lending() {
  for (Place *place = begin; place != end; place = place->outer) {
    place->lent = false;
    place->core.reclaimPlace();
  }
}

} // namespace lanecl::scheduler
