// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Threads of oneTBB that cannot run what they are called for.
#pragma once

namespace lanecl::scheduler {

class Core;

// For a scope the calling thread waits, or is busy with work-groups that wait. oneTBB has few threads and starts no
// others: if this is one of them, those that were called, for whatever device, may not come. Own threads stand in.
class Blocked {
public:
  Blocked();
  ~Blocked();
  Blocked(const Blocked &) = delete;
  Blocked &operator=(const Blocked &) = delete;

private:
  const bool counts;
};

// Own threads run everything: some threads of oneTBB are blocked, or it cannot be used.
bool ownThreadsStandIn();

// From now on own threads run everything. In a forked process oneTBB may have been in use before the fork: it counts on
// threads that do not exist there, and what it is given is never run.
void neverUseOneTbb();
void callWorkersOfAllCores(); // as far as they have work

// The core is among those that are told when own threads have to stand in.
class Registered {
public:
  explicit Registered(Core &core);
  ~Registered();
  Registered(const Registered &) = delete;
  Registered &operator=(const Registered &) = delete;

private:
  Core &core;
};

} // namespace lanecl::scheduler
