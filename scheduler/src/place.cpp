#include "place.h"

#include "core.h"

namespace lanecl::scheduler {

namespace {

thread_local Place *innermost = nullptr;

} // namespace

Place::Place(Core &at, const Taker &who) : core(at), taker(who), outer(innermost) {
  innermost = this;
}

Place::~Place() {
  innermost = outer;
  core.giveBackPlace();
}

const Taker *currentTaker() {
  return innermost != nullptr ? &innermost->taker : nullptr;
}

// What is outside of a lent place was lent with it.
Lending::Lending(const Core *busy) : begin(innermost), end(innermost) {
  for (; end != nullptr && !end->lent; end = end->outer) {
    end->lent = true;
    end->core.lendPlace(&end->core != busy);
  }
}

// The thread goes on with its command, even when its place is taken by now.
Lending::~Lending() {
  for (Place *place = begin; place != end; place = place->outer) {
    place->lent = false;
    place->core.reclaimPlace();
  }
}

} // namespace lanecl::scheduler
