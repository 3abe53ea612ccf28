// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "core/place.h"

#include "core/core.h"

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
