// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The places that a thread has on cores while it executes their commands, and the rules for which commands it may take
// there.
#pragma once

#include "core/blocked.h"
#include "core/node.h"

#include <cassert>
#include <limits>

namespace lanecl::scheduler {

// Decides which commands a thread may take.
//
// A worker takes commands of its crew. An own thread takes all commands while it stands in for oneTBB's threads.
//
// A thread that waits has a stack of unknown size and was called by code of the host program. Other code of the host
// program may wait for a lock that the caller holds, or for what it does after the wait. A waiting thread therefore
// takes no command that runs such code, except the one it waits for, unless no worker can be had.
//
// Work-groups that wait for others may wait for a command that the host program enqueues only after the wait, and a
// thread that has started such work-groups cannot leave them. A waiting thread takes them only if it waits for their
// command anyway.
struct Taker {
  static constexpr uint64_t kAnyStack = std::numeric_limits<uint64_t>::max();

  const Node *until = nullptr;      // the node that the thread waits for; null: the thread is a worker
  Crew crew = Crew::OneTbb;         // which crew a worker belongs to
  uint64_t stack_limit = kAnyStack; // bytes left of the thread's stack
  bool alone = false;               // no worker can be had, so the thread may take everything

  bool waits() const { return until != nullptr; }
  // Whether `until` depends on the node. A command of the same in-order queue that is ready before `until` is done
  // precedes `until`.
  bool needs(const Node &node) const {
    assert(waits() && "a worker waits for no node");
    return &node == until || (node.sequence() != 0 && node.sequence() == until->sequence() && !until->done());
  }
  bool mayJoin(const Node &node) const {
    if (node.stackBytes() > stack_limit)
      return false;
    if (!waits())
      return crew == node.crew() || (crew == Crew::Own && ownThreadsStandIn());
    return alone || !node.waitsForOthers() || needs(node);
  }
  bool mayRun(const Node &node) const {
    if (!mayJoin(node))
      return false;
    return !waits() || alone || (!node.hasCallbacks() && (!node.callsHost() || &node == until));
  }
};

// For the scope of this object, the thread has a place on the core. The place was counted when the thread took its
// first command there.
class Place {
public:
  Place(Core &at, const Taker &thread);
  ~Place();
  Place(const Place &) = delete;
  Place &operator=(const Place &) = delete;

private:
  friend class Lending;
  friend const Taker *currentTaker();

  Core &core;
  const Taker taker;
  bool lent = false;
  Place *const outer;
};

// For the scope of this object, other threads may use the places of the calling thread. Used where the thread waits, or
// runs code of the host program that may block.
class Lending {
public:
  // Calls workers for all these cores except `busy`, whose commands the caller itself is going to run.
  explicit Lending(const Core *busy = nullptr);
  ~Lending();
  Lending(const Lending &) = delete;
  Lending &operator=(const Lending &) = delete;

private:
  Place *const begin; // what is lent, from the innermost place outwards to `end`, which is not lent by this object
  Place *end;
};

// Calls code of the host program on this thread, which must be allowed to run it. A message about an exception calls
// the code `what`.
void callGuarded(const std::function<void()> &code, const char *what);

const Taker *currentTaker(); // of the innermost place; null outside of commands

// Returns whether code of the host program must not run on this thread now, because the thread waits for a command or
// is a thread of oneTBB that runs one.
inline bool mustNotCallHost() {
  const Taker *taker = currentTaker();
  return taker != nullptr && (taker->waits() ? !taker->alone : taker->crew == Crew::OneTbb);
}
inline bool mayRunHere(const Node &node) {
  const Taker *taker = currentTaker();
  return taker != nullptr && taker->mayRun(node);
}

} // namespace lanecl::scheduler
