// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What a thread of the soak test does: jobs of some milliseconds, each with objects of its own beside the shared ones,
// each checking its results. A job throws when something is not as it must be.
#pragma once

#include "support/session.hpp"

#include <atomic>
#include <cstdint>
#include <random>

namespace lanecl::test::soak {

using Random = std::mt19937_64;

// Things that must come out even in the end.
struct Tally {
  std::atomic<uint64_t> jobs{0}, commands{0}, builds{0}, refusals{0};
  std::atomic<uint64_t> callbacks_asked{0}, callbacks_heard{0};
  std::atomic<uint64_t> contexts_made{0}, contexts_gone{0};
};

// Used by all threads at once.
struct Shared {
  explicit Shared(Tally &tally);

  Tally &tally;
  cl_device_id device;
  Context context;
  Program program;
};

// A context that is counted when it is made and when it goes.
Context countedContext(cl_device_id device, Tally &tally);
// Has `event` counted when it ends, however it ends.
void countEnd(cl_event event, Tally &tally);

// Commands on several buffers, in order or out of order, against a model on the host.
void runCommands(Shared &shared, Random &random);
// Programs: new, known, broken; kernels that outlive them.
void buildPrograms(Shared &shared, Random &random);
// Commands behind a user event that succeeds or fails.
void waitForUserEvent(Shared &shared, Random &random);
// A context of its own with everything in it, released in any order.
void useOwnContext(Shared &shared, Random &random);
// Wrong arguments, for the specification's codes.
void makeMistakes(Shared &shared, Random &random);

inline size_t below(Random &random, size_t end) {
  return size_t(random() % end);
}
inline bool oneIn(Random &random, size_t count) {
  return below(random, count) == 0;
}

// Throws with the call's name and both codes.
void expectCode(cl_int want, cl_int got, const char *call);

} // namespace lanecl::test::soak
