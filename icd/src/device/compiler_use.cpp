// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "device/compiler_use.h"

#include "device/device.h"
#include "vectorizer/crash_guard.h"

#include <atomic>
#include <bit>
#include <chrono>
#include <cstdlib>
#include <pthread.h>
#include <thread>

namespace lanecl::icd {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds kLongestWait{10};

// Atomic counters instead of a mutex, which could be locked for ever in a forked process.
std::atomic<unsigned> users{0};
std::atomic<unsigned> forking{0}; // threads in fork()
std::atomic<bool> exiting{false};
std::atomic<unsigned> begun{0};      // compilations
std::atomic<unsigned> registered{0}; // how many of them had begun when the handler was registered last
// Of this thread: a signal handler that interrupted the compiler may call exit() or fork().
thread_local unsigned own_users = 0;

// Polls, because there is nothing to wait on: compiling takes far longer than a step.
template <class Condition> void waitUntil(Clock::time_point end, Condition condition) {
  while (!condition() && Clock::now() < end)
    std::this_thread::sleep_for(std::chrono::microseconds(200));
}

void waitForOthers(Clock::time_point end) {
  waitUntil(end, [] { return users <= own_users; });
}

// Is registered several times, and all calls together wait no longer than one. Only what cannot be abandoned takes
// time.
void atExit() {
  static const Clock::time_point end = Clock::now() + kLongestWait;
  exiting = true;
  vectorizer::abandonGuarded(end);
  waitForOthers(end);
}

// Counts the user before it reads `forking`: so either this thread sees the fork, or the fork sees this user. A thread
// that is a user already does not wait.
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
  --own_users;
  --users;
}

// exit() begins with what was registered last, and the compiler's libraries register destructors of objects that they
// construct while they compile. The handler has to run before those, so it is registered again when there may be new
// ones. As the compiler does, atexit() has a lock that would stay locked in a forked process.
void registerAgain() {
  const unsigned seen = begun;
  if (users == 0 && registered.exchange(seen) == seen)
    return;
  beginUse();
  std::atexit(atExit);
  endUse();
}

// exit() destroys the thread-local objects of its thread before it calls any handler.
struct ThreadEnd {
  ThreadEnd() {} // not trivial, so that naming the object registers its destructor
  ~ThreadEnd() { registerAgain(); }
};
thread_local ThreadEnd thread_end;

void beforeFork() {
  ++forking;
  waitForOthers(Clock::now() + kLongestWait);
}

void afterFork() {
  --forking;
}

// The parent's other threads do not exist here.
void inForkedProcess() {
  forking = 0;
  users = own_users;
}

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
  std::atexit(atExit); // before their destructors
}

CompilerUse::CompilerUse() : allowed_(enter()) {}

CompilerUse::~CompilerUse() {
  // For exit() in a thread that is not watched. The first compilations construct what the later ones use.
  if (own_users == 1 && std::has_single_bit(begun.load()))
    registerAgain();
  endUse();
}

CompilerUse::Part::Part() : is_first(own_users == 0) {
  own_users += is_first ? 1 : 0;
}

CompilerUse::Part::~Part() {
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
