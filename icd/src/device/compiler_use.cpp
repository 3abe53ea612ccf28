#include "device/compiler_use.h"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <pthread.h>
#include <thread>

namespace lanecl::icd {
namespace {

constexpr std::chrono::seconds kLongestWait{10};

// No lock: a forked process could find it taken.
std::atomic<unsigned> users{0};
std::atomic<unsigned> forking{0}; // threads in fork()
std::atomic<bool> exiting{false};
thread_local unsigned own_users = 0; // of this thread, which a signal handler may have led out of the compiler

// In steps, because nobody is told: compiling takes far longer.
template <class Condition> void waitUntil(Condition condition) {
  const auto end = std::chrono::steady_clock::now() + kLongestWait;
  while (!condition() && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::chrono::microseconds(200));
}

void waitForOthers() {
  waitUntil([] { return users <= own_users; });
}

void atExit() {
  exiting = true;
  waitForOthers();
}

void beforeFork() {
  ++forking;
  waitForOthers();
}

void afterFork() {
  --forking;
}

// The other threads are not there.
void inForkedProcess() {
  forking = 0;
  users = own_users;
}

// First counted, then asked: one of two sees the other. Who is in already goes on.
bool enter() {
  ++users;
  while (forking != 0 && own_users == 0) {
    --users;
    waitUntil([] { return forking == 0; });
    ++users;
  }
  ++own_users;
  return !exiting;
}

} // namespace

void CompilerUse::watchProcess() {
  std::atexit(atExit);
  pthread_atfork(beforeFork, afterFork, inForkedProcess);
}

CompilerUse::CompilerUse() : allowed_(enter()) {}

CompilerUse::~CompilerUse() {
  --own_users;
  --users;
}

} // namespace lanecl::icd
