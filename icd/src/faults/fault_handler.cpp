// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The signal handlers: they decide whether a fault belongs to a kernel, describe it once, and pass the signal on.
#include "faults/fault_handler.h"

#include "device/compiler_use.h"
#include "faults/fault_report.h"
#include "icd/settings.h"
#include "vectorizer/crash_guard.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <ctime>

#include <pthread.h>
#include <ucontext.h>
#include <unistd.h>

namespace lanecl::icd {
namespace {

using scheduler::RunningGroups;

constexpr std::array<int, 4> kFaults{SIGSEGV, SIGBUS, SIGILL, SIGFPE};
std::array<struct sigaction, kFaults.size()> previous_actions;

// Returns the handler that was installed before LaneCL's.
const struct sigaction &previousOf(int signal) {
  size_t i = 0;
  while (kFaults[i] != signal)
    ++i;
  return previous_actions[i];
}

// Whether the thread has sent the signal to itself, as with raise(). A handler that the program installed later may
// pass on a fault that way.
bool isOwn(const siginfo_t &info) {
  return info.si_code == SI_TKILL && info.si_pid == getpid();
}

Fault faultOf(int signal, const siginfo_t &info, const ucontext_t &context) {
  Fault fault;
  fault.signal = signal;
#if defined(__x86_64__)
  const auto registers = context.uc_mcontext.gregs;
  constexpr greg_t kPageFault = 14, kWrite = 2;
  fault.instruction = uintptr_t(registers[REG_RIP]);
  fault.stack = uintptr_t(registers[REG_RSP]);
  fault.frame = uintptr_t(registers[REG_RBP]);
  if (info.si_code > 0 && registers[REG_TRAPNO] == kPageFault)
    fault.access = registers[REG_ERR] & kWrite ? Fault::Access::Write : Fault::Access::Read;
#else
  (void)context;
#endif
  // The processor does not report the address if it is not canonical, which no memory can have.
  if (info.si_code > 0 && info.si_code != SI_KERNEL)
    fault.address = reinterpret_cast<uintptr_t>(info.si_addr);
  return fault;
}

// Whether the thread still runs these work-groups. A handler that the program installed later may have left them by
// siglongjmp() without our noticing. In that case the stack pointer has moved past `groups`, which is on the stack. The
// test fails once the stack has grown again.
bool stillRuns(const RunningGroups &groups, const Fault &fault) {
  return reinterpret_cast<uintptr_t>(&groups) > fault.stack;
}

std::atomic<const void *> described{nullptr}; // the launch that was described last
std::atomic<int> describing{0};               // threads that are writing a description

// Waits until other threads have written their description. Several threads may fail in one launch, and only the first
// one describes the fault. If another one ended the process meanwhile, the description would be lost.
void waitForOthers() {
  const timespec step{0, 1'000'000};
  for (int i = 0; i < 1000 && describing != 0; ++i)
    nanosleep(&step, nullptr);
}

void describeOnce(const Fault &fault, const RunningGroups &groups) {
  const int error = errno;
  if (described.exchange(groups.facts) != groups.facts) {
    ++describing;
    FaultText text;
    describe(fault, groups, text);
    text.writeTo(STDERR_FILENO);
    --describing;
  } else {
    waitForOthers();
  }
  errno = error;
}

// Calls a handler as the system would: with the signal mask and the flags that it was installed with. The thread's own
// mask is restored when our handler returns.
void callHandler(const struct sigaction &handler, int signal, siginfo_t *info, void *context) {
  sigset_t blocked;
  sigorset(&blocked, &static_cast<ucontext_t *>(context)->uc_sigmask, &handler.sa_mask);
  if (!(handler.sa_flags & SA_NODEFER))
    sigaddset(&blocked, signal);
  pthread_sigmask(SIG_SETMASK, &blocked, nullptr);
  if (handler.sa_flags & SA_RESETHAND)
    std::signal(signal, SIG_DFL);
  // The handler may leave the work-groups by siglongjmp(), so the thread must not count as running them.
  const scheduler::NoRunningGroups nothing;
  if (handler.sa_flags & SA_SIGINFO)
    handler.sa_sigaction(signal, info, context);
  else
    handler.sa_handler(signal);
}

// Gives the signal to the handler that was installed before LaneCL's, or restores the default action, which ends the
// process when the faulting instruction is executed again.
void passOn(int signal, siginfo_t *info, void *context) {
  const struct sigaction &previous = previousOf(signal);
  if ((previous.sa_flags & SA_SIGINFO) || (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN))
    return callHandler(previous, signal, info, context);
  sigaction(signal, &previous, nullptr);
  if (info->si_code <= 0) // sent by kill() or raise(): returning does not repeat it
    raise(signal);
}

void onFault(int signal, siginfo_t *info, void *context) {
  const RunningGroups *const groups = scheduler::runningGroups();
  if (groups && groups->facts) {
    const Fault fault = faultOf(signal, *info, *static_cast<const ucontext_t *>(context));
    if (info->si_code > 0 ? stillRuns(*groups, fault) : isOwn(*info))
      describeOnce(fault, *groups);
  }
  passOn(signal, info, context);
}

void install() {
  // The vectorizer's crash guard has signal handlers, with a lock that is taken here. A process that is forked
  // meanwhile would inherit the lock locked; CompilerUse keeps it from being forked.
  const CompilerUse use;
  for (size_t i = 0; i < kFaults.size(); ++i) {
    struct sigaction ours{};
    ours.sa_sigaction = onFault;
    ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&ours.sa_mask);
    vectorizer::installBelowGuard(kFaults[i], ours, previous_actions[i]);
  }
}

} // namespace

void describeFaults() {
  static std::atomic<bool> installed{false};
  if (!installed.load(std::memory_order_relaxed) && !installed.exchange(true) && settings().fault_report)
    install();
}

} // namespace lanecl::icd
