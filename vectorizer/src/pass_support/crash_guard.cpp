// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Runs compilations so that a crash of LLVM is an error and not the end of the process. The work runs on a thread of
// its own with a large stack. A fault or LLVM's fatal error jumps out of the work (siglongjmp), and the thread's stack
// is left allocated. Faults of other threads go to the handlers that were there before.
#include "vectorizer/crash_guard.h"

#include "llvm/Support/ErrorHandling.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <link.h>
#include <mutex>
#include <new>
#include <pthread.h>
#include <sys/mman.h>
#include <thread>
#include <ucontext.h>
#include <unistd.h>
#include <vector>

namespace lanecl::vectorizer {
namespace {

constexpr std::array<int, 6> kFaults{SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP};
// Reserved address space; pages are committed as deep recursion needs them.
constexpr size_t kStackBytes = size_t(64) << 20;
constexpr size_t kGuardBytes = size_t(64) << 10;
constexpr size_t kSignalStackBytes = size_t(64) << 10;

// The target of the jump out of guarded work, and the fault or the message that led to it.
struct Guard {
  sigjmp_buf jump;
  volatile int signal = 0;
  char message[1024] = ""; // no std::string, because it is written when the heap may be corrupt
};

// The guard of the work that this thread runs. A signal handler reads it, so it must not be allocated lazily, as
// dynamic thread-local storage is.
__attribute__((tls_model("initial-exec"))) thread_local Guard *active_guard = nullptr;

// How many guards are active in the process. The first one installs the handlers, and the last one removes them.
std::mutex install_mutex;
unsigned users = 0;
std::array<struct sigaction, kFaults.size()> previous_actions;

size_t indexOf(int signal) {
  for (size_t i = 0; i < kFaults.size(); ++i)
    if (kFaults[i] == signal)
      return i;
  return 0;
}

// Handles a fault of another thread as it would have been handled without our handlers.
void passOn(int signal, siginfo_t *info, void *context) {
  const struct sigaction &previous = previous_actions[indexOf(signal)];
  if (previous.sa_flags & SA_SIGINFO) {
    previous.sa_sigaction(signal, info, context);
  } else if (const bool was_sent = info->si_code <= 0; was_sent && previous.sa_handler == SIG_IGN) {
    return; // kill() or raise() sent it, and the host ignores it: the guards stay
  } else if (previous.sa_handler == SIG_DFL || previous.sa_handler == SIG_IGN) {
    sigaction(signal, &previous, nullptr);
    if (was_sent) // returning does not repeat it
      raise(signal);
  } else {
    previous.sa_handler(signal);
  }
}

constexpr const char *kAbandoned = "the process is exiting";
constexpr int kAbandon = SIGTRAP; // is sent to a thread that shall jump out of its work
std::atomic<bool> abandoned{false};

struct AddressRange {
  uintptr_t begin = 0, end = 0;
  bool contains(uintptr_t address) const { return address >= begin && address < end; }
};
AddressRange llvm_code, own_code; // set before `abandoned`

// The code of the library that an address is in.
AddressRange codeAround(uintptr_t address) {
  struct Search {
    uintptr_t known;
    AddressRange found{};
  } search{address};
  const auto look = [](dl_phdr_info *library, size_t, void *argument) {
    auto &search = *static_cast<Search *>(argument);
    for (int i = 0; i < library->dlpi_phnum; ++i) {
      const ElfW(Phdr) &part = library->dlpi_phdr[i];
      const uintptr_t begin = library->dlpi_addr + part.p_vaddr;
      const AddressRange range{begin, begin + part.p_memsz};
      if (part.p_type == PT_LOAD && (part.p_flags & PF_X) != 0 && range.contains(search.known))
        search.found = range;
    }
    return 0;
  };
  dl_iterate_phdr(look, &search);
  return search.found;
}

bool isAbandonRequest(int signal, const siginfo_t &info) {
  return signal == kAbandon && info.si_code == SI_TKILL && info.si_pid == getpid() && abandoned;
}

// A thread that is in the code of LLVM or of our passes holds no lock of the C library, as of its heap, which the
// exiting process needs.
bool mayJumpFrom(const void *context) {
  const auto &registers = static_cast<const ucontext_t *>(context)->uc_mcontext;
  const auto place = uintptr_t(registers.gregs[REG_RIP]);
  return llvm_code.contains(place) || own_code.contains(place);
}

void onFault(int signal, siginfo_t *info, void *context) {
  Guard *const guard = active_guard;
  if (isAbandonRequest(signal, *info) && (!guard || !mayJumpFrom(context)))
    return; // the work has ended, or the thread is asked again
  if (guard) {
    guard->signal = signal;
    siglongjmp(guard->jump, 1);
  }
  passOn(signal, info, context);
}

void onFatalError(void *, const char *reason, bool) {
  Guard *guard = active_guard;
  if (!guard) {
    std::fprintf(stderr, "LLVM ERROR: %s\n", reason);
    // LLVM might call exit() instead, which other guards of this thread could not intercept.
    std::abort();
  }
  std::snprintf(guard->message, sizeof guard->message, "%s", reason);
  siglongjmp(guard->jump, 1);
}

bool isOurs(const struct sigaction &action) {
  return (action.sa_flags & SA_SIGINFO) && action.sa_sigaction == onFault;
}

void installHandlers() {
  std::lock_guard lock(install_mutex);
  if (users++ != 0)
    return;
  llvm::remove_fatal_error_handler();
  llvm::install_fatal_error_handler(onFatalError);
  for (size_t i = 0; i < kFaults.size(); ++i) {
    struct sigaction current;
    sigaction(kFaults[i], nullptr, &current);
    // Other code had saved our handler and has restored it, so previous_actions is still right.
    if (isOurs(current))
      continue;
    previous_actions[i] = current;
    struct sigaction ours{};
    ours.sa_sigaction = onFault;
    ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&ours.sa_mask);
    sigaction(kFaults[i], &ours, nullptr);
  }
}

void removeHandlers() {
  std::lock_guard lock(install_mutex);
  if (--users != 0)
    return;
  for (size_t i = 0; i < kFaults.size(); ++i) {
    struct sigaction current;
    sigaction(kFaults[i], nullptr, &current);
    if (isOurs(current)) // otherwise the host has installed its own meanwhile, which stays
      sigaction(kFaults[i], &previous_actions[i], nullptr);
  }
  llvm::remove_fatal_error_handler();
}

// A thread of guarded work that may be sent a signal. A forked process has none of its parent's.
struct GuardedThread {
  pthread_t thread = pthread_self();
  pid_t process = getpid();
};
std::mutex threads_mutex;
std::vector<GuardedThread> threads;

class Registered {
public:
  Registered() {
    const std::lock_guard lock(threads_mutex);
    threads.emplace_back();
  }
  ~Registered() {
    block(kAbandon); // a signal that is on its way must not arrive when the handler is gone
    const std::lock_guard lock(threads_mutex);
    std::erase_if(threads, [](const auto &known) { return pthread_equal(known.thread, pthread_self()) != 0; });
  }
  Registered(const Registered &) = delete;
  Registered &operator=(const Registered &) = delete;

private:
  static void block(int signal) {
    sigset_t blocked;
    sigemptyset(&blocked);
    sigaddset(&blocked, signal);
    pthread_sigmask(SIG_BLOCK, &blocked, nullptr);
  }
};

// Whether a signal that is sent now gets to onFault(): the program may have installed a handler of its own. The calling
// thread may have been interrupted while it had the lock.
bool arrivesHere() {
  const std::unique_lock lock(install_mutex, std::try_to_lock);
  struct sigaction current;
  sigaction(kAbandon, nullptr, &current);
  return lock && users != 0 && isOurs(current);
}

// False: no thread has guarded work.
bool askThreads(bool to_jump) {
  const std::unique_lock lock(threads_mutex, std::try_to_lock);
  if (!lock)
    return true;
  const bool can_jump = to_jump && arrivesHere();
  bool any = false;
  for (const GuardedThread &known : threads)
    if (known.process == getpid()) {
      any = true;
      if (can_jump)
        pthread_kill(known.thread, kAbandon);
    }
  return any;
}

struct Job {
  const std::function<void()> *work;
  std::string *reason;
  bool done = false;
  std::mutex mutex{}; // guards what follows
  std::condition_variable ended{};
  bool has_ended = false;
};

// Returns the reason of the failure, for the user.
std::string describe(const Guard &guard) {
  if (abandoned && guard.signal == kAbandon)
    return kAbandoned;
  if (guard.message[0] != '\0')
    return guard.message;
  const char *name = sigabbrev_np(guard.signal);
  return std::string("the compiler crashed (SIG") + (name ? name : "?") + ")";
}

// Runs the work, and returns false if it faults. This is a separate function so that no object with a destructor is in
// the frame to which siglongjmp returns.
bool callGuarded(const std::function<void()> &work, Guard &guard) {
  if (sigsetjmp(guard.jump, 1) != 0) {
    active_guard = nullptr;
    return false;
  }
  active_guard = &guard;
  work();
  active_guard = nullptr;
  return true;
}

// Runs the work, and turns faults and exceptions into a reason.
void runJob(Job &job) {
  Guard guard;
  try {
    job.done = callGuarded(*job.work, guard);
    if (!job.done)
      *job.reason = describe(guard);
  } catch (const std::bad_alloc &) {
    *job.reason = "out of memory";
  } catch (const std::exception &failure) {
    *job.reason = failure.what();
  } catch (...) {
    *job.reason = "unknown exception";
  }
  active_guard = nullptr;
}

void *threadMain(void *argument) {
  // The handler's stack: after a stack overflow, the stack itself has no room for the handler.
  std::vector<char> memory(kSignalStackBytes);
  stack_t stack{};
  stack.ss_sp = memory.data();
  stack.ss_size = memory.size();
  stack_t old_stack{};
  sigaltstack(&stack, &old_stack);
  Job &job = *static_cast<Job *>(argument);
  {
    const Registered until_it_ends;
    if (abandoned) // before it could be asked
      *job.reason = kAbandoned;
    else
      runJob(job);
  }
  sigaltstack(&old_stack, nullptr);
  const std::lock_guard lock(job.mutex);
  job.has_ended = true;
  job.ended.notify_one();
  return nullptr;
}

// A thread's stack, allocated here because the stack of a crashed thread must not be freed: LLVM's global lists may
// refer to objects on it.
class Stack {
public:
  Stack() {
    memory = mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK,
                  -1, 0);
    if (memory != MAP_FAILED)
      mprotect(memory, kGuardBytes, PROT_NONE); // the low end, which an overflow reaches first
  }
  ~Stack() {
    if (memory != MAP_FAILED)
      munmap(memory, kStackBytes);
  }
  Stack(const Stack &) = delete;

  bool giveTo(pthread_attr_t &attributes) const {
    return memory != MAP_FAILED && pthread_attr_setstack(&attributes, memory, kStackBytes) == 0;
  }
  // Keeps the memory allocated for the rest of the process.
  void abandon() { memory = MAP_FAILED; }

private:
  void *memory;
};

// Starts the thread that runs the job. It blocks all signals but faults: signals that are meant for the host (timers,
// child exits, Ctrl-C) must not be delivered to it.
bool startThread(pthread_t &thread, const Stack &stack, Job &job) {
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0)
    return false;
  sigset_t blocked, old_mask;
  sigfillset(&blocked);
  for (int fault : kFaults)
    sigdelset(&blocked, fault);
  pthread_sigmask(SIG_SETMASK, &blocked, &old_mask);
  const bool started = stack.giveTo(attributes) && pthread_create(&thread, &attributes, threadMain, &job) == 0;
  pthread_sigmask(SIG_SETMASK, &old_mask, nullptr);
  pthread_attr_destroy(&attributes);
  return started;
}

} // namespace

void installBelowGuard(int signal, const struct sigaction &action, struct sigaction &previous) {
  const std::lock_guard lock(install_mutex);
  struct sigaction current;
  sigaction(signal, nullptr, &current);
  // `previous` is set before the handler is installed, which may be called at once.
  previous = isOurs(current) ? previous_actions[indexOf(signal)] : current;
  if (isOurs(current))
    previous_actions[indexOf(signal)] = action;
  else
    sigaction(signal, &action, nullptr);
}

namespace {

struct Handlers {
  Handlers() { installHandlers(); }
  ~Handlers() { removeHandlers(); }
};

// Waits for the thread, also when a report throws or ends the calling thread.
struct Joined {
  pthread_t thread;
  const Job &job;
  Stack &stack;
  ~Joined() {
    pthread_join(thread, nullptr);
    if (!job.done)
      stack.abandon();
  }
};

void await(Job &job, const LongWork &long_work) {
  if (!long_work.report)
    return;
  std::unique_lock lock(job.mutex);
  if (job.ended.wait_until(lock, long_work.when, [&] { return job.has_ended; }))
    return;
  lock.unlock();
  long_work.report();
}

} // namespace

bool runGuarded(const std::function<void()> &work, std::string &reason) {
  return runGuarded(work, reason, {});
}

bool runGuarded(const std::function<void()> &work, std::string &reason, const LongWork &long_work) {
  if (abandoned) {
    reason = kAbandoned;
    return false;
  }
  Job job{&work, &reason};
  const Handlers until_the_end;
  Stack stack;
  pthread_t thread;
  if (startThread(thread, stack, job)) {
    const Joined joined{thread, job, stack};
    await(job, long_work);
  } else {
    runJob(job);
  }
  return job.done;
}

bool isAbandoned() {
  return abandoned;
}

bool abandonGuarded(std::chrono::steady_clock::time_point until) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::milliseconds kOwnEnd{500}, kStep{1};
  if (!abandoned) {
    llvm_code = codeAround(reinterpret_cast<uintptr_t>(&llvm::install_fatal_error_handler));
    own_code = codeAround(reinterpret_cast<uintptr_t>(&onFault));
    abandoned = true;
  }
  const auto jump = Clock::now() + kOwnEnd;
  while (askThreads(Clock::now() >= jump)) {
    if (Clock::now() >= until)
      return false;
    std::this_thread::sleep_for(kStep);
  }
  return true;
}

} // namespace lanecl::vectorizer
