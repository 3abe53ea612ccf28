// The places that a thread has on cores while it executes their commands, and what it may take there.
#pragma once

#include "node.h"

#include <limits>

namespace lanecl::scheduler {

// A worker takes everything. A thread that waits has a stack of unknown size, and code of the program's below it: what
// that code does after the wait, or a lock that it holds, may be what other code of the program's waits for. So of such
// code it runs only what it waits for itself, unless there is nobody else.
struct Taker {
  static constexpr uint64_t kAnyStack = std::numeric_limits<uint64_t>::max();

  const Node *until = nullptr;      // what the thread waits for; null: nothing
  uint64_t stack_limit = kAnyStack; // what it has of its stack
  bool alone = false;               // no worker can be had

  bool waits() const { return until != nullptr; }
  bool mayJoin(const Node &node) const { return node.stackBytes() <= stack_limit; }
  bool mayRun(const Node &node) const {
    if (!mayJoin(node))
      return false;
    return !waits() || alone || (!node.hasCallbacks() && (!node.callsHost() || &node == until));
  }
};

// For a scope the thread is one of those that execute commands of the core. It was counted when it took the first.
class Place {
public:
  Place(Core &at, const Taker &who);
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

// For a scope in which the thread waits, or runs code of the program's that may block, its places are free for others.
class Lending {
public:
  // Workers are called to all these cores but `busy`, which the caller is going to help.
  explicit Lending(const Core *busy = nullptr);
  ~Lending();
  Lending(const Lending &) = delete;
  Lending &operator=(const Lending &) = delete;

private:
  Place *const begin; // what is lent, from the innermost place outwards
  Place *end;
};

const Taker *currentTaker(); // of the innermost place; null outside of commands

// Code of the program's must not run on this thread now.
inline bool threadWaits() {
  const Taker *taker = currentTaker();
  return taker != nullptr && taker->waits() && !taker->alone;
}
inline bool mayRunHere(const Node &node) {
  const Taker *taker = currentTaker();
  return taker != nullptr && taker->mayRun(node);
}

} // namespace lanecl::scheduler
