// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Keeps count of the threads of oneTBB that cannot run what they are called for, and lets own threads run everything
// meanwhile.
#pragma once

namespace lanecl::scheduler {

class Core;

// Marks a scope in which the calling thread waits, or is busy with work-groups that wait. oneTBB has few threads and
// starts no others. If the calling thread is one of them, there may be none left for what is ready to run, on whatever
// device. Own threads therefore run everything during the scope.
class Blocked {
public:
  Blocked();
  ~Blocked();
  Blocked(const Blocked &) = delete;
  Blocked &operator=(const Blocked &) = delete;

private:
  const bool counts;
};

// Returns whether own threads run everything, because some threads of oneTBB are blocked or oneTBB cannot be used.
bool ownThreadsStandIn();

// Makes own threads run everything from now on. A forked process calls this, because its oneTBB may have been in use
// before the fork: it counts on threads that do not exist in the child, and would never run what it is given.
void neverUseOneTbb();
void callWorkersOfAllCores(); // each core calls as many workers as it has work for

// Keeps a core in the list of callWorkersOfAllCores() for the lifetime of this object.
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
