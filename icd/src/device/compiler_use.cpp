// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Counts the threads that are in the compiler, and makes exit() and fork() wait for them.
#include "device/compiler_use.h"

#include "device/device.h"
#include "vectorizer/crash_guard.h"

#include <atomic>
#include <bit>
#include <cassert>
#include <chrono>
#include <cstdlib>
#include <pthread.h>
#include <thread>

namespace lanecl::icd {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds kLongestWait{10};

// The state is in atomic counters, because a mutex could stay locked forever in a forked process.
std::atomic<unsigned> users{0};   // scopes of all threads in which the compiler runs
std::atomic<unsigned> forking{0}; // threads in fork()
std::atomic<bool> exiting{false};
std::atomic<unsigned> begun{0};      // compilations that have started so far
std::atomic<unsigned> registered{0}; // the value of `begun` when the exit handler was registered last
// The scopes of this thread. exit() and fork() do not wait for them: they may be called in a signal handler that has
// interrupted the compiler in this very thread.
thread_local unsigned own_users = 0;

// Waits until the condition holds, or until `end`. It polls, which costs nothing here: compiling takes far longer than
// one step.
template <class Condition> void waitUntil(Clock::time_point end, Condition condition) {
  while (!condition() && Clock::now() < end)
    std::this_thread::sleep_for(std::chrono::microseconds(200));
}

void waitForOthers(Clock::time_point end) {
  waitUntil(end, [] { return users <= own_users; });
}

// The handler of exit(). It is registered several times, so all its calls share one deadline. Compilations under the
// crash guard are abandoned within a short time; only those that cannot be abandoned make the handler wait longer.
void atExit() {
  static const Clock::time_point end = Clock::now() + kLongestWait;
  exiting = true;
  vectorizer::abandonGuarded(end);
  waitForOthers(end);
}

// Enters a scope. The user is counted before `forking` is read, so that either this thread sees the fork or the fork
// sees this user. A thread that is in a scope already does not wait, since the fork waits for it.
void beginUse() {
  ++users;
  while (forking != 0 && own_users == 0) {
    --users;
    waitUntil(Clock::now() + kLongestWait, [] { return forking == 0; });
    ++users;
  }
  ++own_users;
}

void endUse() {
  assert(own_users != 0 && users != 0 && "a use of the compiler ends twice");
  --own_users;
  --users;
}

// Registers the exit handler again if compilations have started since the last time. exit() calls handlers in reverse
// order of registration, and the compiler's libraries register destructors for objects that they construct while they
// compile. Our handler must run before those destructors. atexit() has a lock that would stay locked in a forked
// process, so it is called within a scope, too.
void registerAgain() {
  const unsigned seen = begun;
  if (users == 0 && registered.exchange(seen) == seen)
    return;
  beginUse();
  std::atexit(atExit);
  endUse();
}

// exit() destroys the thread-local objects of its thread before it calls any handler, which makes the destructor of
// such an object the last moment to register one.
struct ThreadEnd {
  ThreadEnd() {} // not trivial, so that naming the object registers its destructor
  ~ThreadEnd() { registerAgain(); }
};
thread_local ThreadEnd thread_end;

// The handlers of fork(), see CompilerUse.
void beforeFork() {
  ++forking;
  waitForOthers(Clock::now() + kLongestWait);
}

void afterFork() {
  --forking;
}

// Drops the counts of the parent's other threads, which do not exist in the forked process.
void inForkedProcess() {
  forking = 0;
  users = own_users;
}

// Enters a scope. Returns false if the process is exiting.
bool enter() {
  if (own_users == 0)
    CompilerUse::watchThread();
  ++begun;
  beginUse();
  return !exiting;
}

} // namespace

void CompilerUse::watchProcess() {
  std::atexit(atExit);
  pthread_atfork(beforeFork, afterFork, inForkedProcess);
}

void CompilerUse::watchThread() {
  [[maybe_unused]] ThreadEnd &end = thread_end;
}

void CompilerUse::librariesLoaded() {
  std::atexit(atExit); // runs before the libraries' destructors, which are registered by now
}

CompilerUse::CompilerUse() : allowed_(enter()) {}

CompilerUse::~CompilerUse() {
  // This covers exit() in a thread that is not watched. Objects are constructed mostly by the first compilations, so
  // the handler is registered after the 1st, 2nd, 4th, 8th … one.
  if (own_users == 1 && std::has_single_bit(begun.load()))
    registerAgain();
  endUse();
}

CompilerUse::Part::Part() : is_first(own_users == 0) {
  own_users += is_first ? 1 : 0;
}

CompilerUse::Part::~Part() {
  assert(own_users != 0 && "a part of a use ends twice");
  own_users -= is_first ? 1 : 0;
}

void compileTogether(size_t count, const std::function<void(size_t)> &work) {
  std::string error;
  vectorizer::Vectorizer *vectorizer = count > 1 ? Device::vectorizer(error) : nullptr;
  if (!vectorizer) {
    for (size_t number = 0; number < count; ++number)
      work(number);
    return;
  }
  const CompilerUse use;
  vectorizer->forEach(count, [&](size_t number) {
    const CompilerUse::Part part;
    work(number);
  });
}

} // namespace lanecl::icd
