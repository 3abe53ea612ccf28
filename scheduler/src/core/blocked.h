// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Threads of oneTBB that cannot run what they are called for.
#pragma once

namespace lanecl::scheduler {

class Core;

// For a scope in which the calling thread waits, or is busy with work-groups that wait. If it is a thread of oneTBB,
// which has few and starts no others, there may be none left for what is ready to run, on whatever device. So own
// threads run everything meanwhile.
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
void callWorkersOfAllCores(); // each core calls as many as it has work for

// For its lifetime the core is in the list of callWorkersOfAllCores().
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
