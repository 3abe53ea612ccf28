// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The places that a thread has on cores while it executes their commands, and which commands it may take there.
#pragma once

#include "core/blocked.h"
#include "core/node.h"

#include <limits>

namespace lanecl::scheduler {

// Which commands a thread may take. A worker takes those of its crew, and an own thread all when it stands in for
// oneTBB's. A thread that waits has a stack of unknown size, and was called by code of the host program: other code of
// the host program may wait for a lock that this code holds, or for what it does after the wait. So of commands that
// run such code it takes only the one it waits for, unless no worker can be had. Work-groups that wait for others may
// wait for a command that the host program enqueues only after the wait, and a thread that has begun some cannot leave
// them: so it takes only those that it waits for in any case.
struct Taker {
  static constexpr uint64_t kAnyStack = std::numeric_limits<uint64_t>::max();

  const Node *until = nullptr;      // the node that the thread waits for; null: a worker
  Crew crew = Crew::OneTbb;         // of a worker
  uint64_t stack_limit = kAnyStack; // what is left of its stack
  bool alone = false;               // no worker can be had

  bool waits() const { return until != nullptr; }
  // A command of the same queue, in order, that is ready before `until` is done precedes it.
  bool needs(const Node &node) const {
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

// For a scope the thread has a place on the core. It was counted when the thread took its first command there.
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

// For a scope in which the thread waits, or runs code of the host program that may block, other threads may use its
// places.
class Lending {
public:
  // Calls workers for all these cores but `busy`, which the caller is going to help.
  explicit Lending(const Core *busy = nullptr);
  ~Lending();
  Lending(const Lending &) = delete;
  Lending &operator=(const Lending &) = delete;

private:
  Place *const begin; // what is lent, from the innermost place outwards
  Place *end;
};

// Calls code of the host program on this thread, which may run it. `what` it is called in a message about an exception.
void callGuarded(const std::function<void()> &code, const char *what);

const Taker *currentTaker(); // of the innermost place; null outside of commands

// Code of the host program must not run on this thread now: it waits for a command, or is one of oneTBB's that runs
// one.
inline bool mustNotCallHost() {
  const Taker *taker = currentTaker();
  return taker != nullptr && (taker->waits() ? !taker->alone : taker->crew == Crew::OneTbb);
}
inline bool mayRunHere(const Node &node) {
  const Taker *taker = currentTaker();
  return taker != nullptr && taker->mayRun(node);
}

} // namespace lanecl::scheduler
