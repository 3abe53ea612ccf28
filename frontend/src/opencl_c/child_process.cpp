// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "opencl_c/child_process.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace lanecl::frontend {
namespace {

using Clock = std::chrono::steady_clock;

// A file in memory (memfd). It has no name that another process could use. Unlike a pipe it cannot block, and cannot be
// closed at the other end.
class MemoryFile {
public:
  // The descriptor is never one of the three standard descriptors, which the child replaces by these files.
  MemoryFile() {
    const int made = memfd_create("lanecl", MFD_CLOEXEC);
    if (made < 0)
      return;
    descriptor = fcntl(made, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    close(made);
  }
  ~MemoryFile() {
    if (descriptor >= 0)
      close(descriptor);
  }
  MemoryFile(const MemoryFile &) = delete;

  int get() const { return descriptor; }
  explicit operator bool() const { return descriptor >= 0; }

  bool write(std::string_view bytes) const {
    for (size_t done = 0; done < bytes.size();) {
      const ssize_t count = pwrite(descriptor, bytes.data() + done, bytes.size() - done, off_t(done));
      if (count < 0 && errno == EINTR)
        continue;
      if (count <= 0)
        return false;
      done += size_t(count);
    }
    return true;
  }

  std::string read() const {
    std::string bytes;
    char block[65536];
    for (;;) {
      const ssize_t count = pread(descriptor, block, sizeof block, off_t(bytes.size()));
      if (count < 0 && errno == EINTR)
        continue;
      if (count <= 0)
        return bytes;
      bytes.append(block, size_t(count));
    }
  }

private:
  int descriptor = -1;
};

// Sets up the child to inherit three files, default signal handling and nothing else of the host program. The child
// leads a process group, so that it can be killed together with the processes that it has started.
class SpawnSetup {
public:
  SpawnSetup(const MemoryFile &input, const MemoryFile &output, const MemoryFile &messages) {
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input.get(), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output.get(), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, messages.get(), STDERR_FILENO);
    posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
    posix_spawnattr_init(&attributes);
    sigset_t signals;
    sigfillset(&signals);
    posix_spawnattr_setsigdefault(&attributes, &signals);
    sigemptyset(&signals);
    posix_spawnattr_setsigmask(&attributes, &signals);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
  }
  ~SpawnSetup() {
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
  }
  SpawnSetup(const SpawnSetup &) = delete;

  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
};

// Starts the program. Returns 0, or the error that kept it from starting.
int start(const std::string &program, const std::vector<std::string> &arguments, const SpawnSetup &setup,
          pid_t &child) {
  std::vector<char *> words{const_cast<char *>(program.c_str())};
  for (const std::string &argument : arguments)
    words.push_back(const_cast<char *>(argument.c_str()));
  words.push_back(nullptr);
  // The environment is not the host program's, whose variables may control libraries and must not affect the child.
  const char *const environment[] = {"LC_ALL=C", nullptr};
  return posix_spawn(&child, program.c_str(), &setup.actions, &setup.attributes, words.data(),
                     const_cast<char *const *>(environment));
}

// Limits the child's memory, because damaged input may make a program ask for all the memory there is. Forbids core
// dumps, which would be of no use.
void limitResources(pid_t child) {
  constexpr rlimit kMemory{kChildMemory, kChildMemory}, kNoCore{0, 0};
  prlimit(child, RLIMIT_AS, &kMemory, nullptr);
  prlimit(child, RLIMIT_CORE, &kNoCore, nullptr);
}

// Whether the child ends within the limit; its exit status is then in `status`. The child is polled, because not every
// system has another way that leaves the host program's signals alone. Each pause is a sixteenth of the time that has
// passed, between 0.1 and 20 ms.
bool endsWithin(std::chrono::milliseconds limit, pid_t child, int &status) {
  const Clock::time_point begin = Clock::now();
  for (;;) {
    const pid_t ended = waitpid(child, &status, WNOHANG);
    if (ended == child || (ended < 0 && errno != EINTR))
      return true; // also if the host program has waited for the child before
    const Clock::duration passed = Clock::now() - begin;
    if (passed >= limit)
      return false;
    std::this_thread::sleep_for(
        std::clamp<Clock::duration>(passed / 16, std::chrono::microseconds(100), std::chrono::milliseconds(20)));
  }
}

// Kills the child's process group and waits for the child.
void end(pid_t child) {
  kill(-child, SIGKILL);
  while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
}

} // namespace

// Files in memory replace pipes, so the child can be waited for without reading its output at the same time.
ChildResult runChild(const std::string &program, const std::vector<std::string> &arguments, std::string_view input,
                     std::chrono::milliseconds limit) {
  ChildResult result;
  const MemoryFile in, out, messages;
  if (!in || !out || !messages || !in.write(input)) {
    result.failure = "there is no memory for its input and output: " + std::string(strerror(errno));
    return result;
  }
  pid_t child = 0;
  if (const int code = start(program, arguments, SpawnSetup(in, out, messages), child)) {
    result.failure = "it cannot be run: " + std::string(strerror(code));
    return result;
  }
  limitResources(child);
  int status = 0;
  if (!endsWithin(limit, child, status)) {
    end(child);
    result.failure = "it was stopped after " + std::to_string(limit.count() / 1000) + " seconds without a result";
    return result;
  }
  result.output = out.read();
  result.messages = messages.read();
  if (WIFSIGNALED(status))
    result.failure = "it crashed with signal " + std::to_string(WTERMSIG(status));
  else if (WEXITSTATUS(status) != 0)
    result.failure = "it failed";
  return result;
}

} // namespace lanecl::frontend
