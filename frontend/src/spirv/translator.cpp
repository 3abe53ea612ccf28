#include "spirv/translator.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace lanecl::frontend::spirv {
namespace {

constexpr std::string_view kBitcodeMagic{"BC\xC0\xDE", 4};

// A file in memory: it has no name that another process could take, and no end that closes too early.
class MemoryFile {
public:
  // Never one of the three standard descriptors, whose places the child's files take.
  MemoryFile() {
    const int made = memfd_create("lanecl-spirv", MFD_CLOEXEC);
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

// What the child inherits: three files, no signal handling and nothing else of the host program.
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
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  }
  ~SpawnSetup() {
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
  }
  SpawnSetup(const SpawnSetup &) = delete;

  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
};

// 0, or the error that kept the program from starting.
int start(const std::string &program, const SpawnSetup &setup, pid_t &child) {
  // CL2.0: built-in functions have the names of OpenCL C, and atomics keep their order and scope. All extensions are
  // allowed here because the module was checked against what the device has.
  const char *const arguments[] = {program.c_str(),
                                   "-r",
                                   "--spirv-target-env=CL2.0",
                                   "--spirv-ext=+all",
                                   "--spirv-gen-kernel-arg-name-md",
                                   "--preserve-ocl-kernel-arg-type-metadata-through-string",
                                   "/proc/self/fd/0",
                                   "-o",
                                   "-",
                                   nullptr};
  // What the host program's environment asks of its own libraries is not for this one.
  const char *const environment[] = {"LC_ALL=C", nullptr};
  return posix_spawnp(&child, program.c_str(), &setup.actions, &setup.attributes, const_cast<char *const *>(arguments),
                      const_cast<char *const *>(environment));
}

// Whether it ended by itself and well. The host program may have collected the child before us; then the output tells.
bool waitFor(pid_t child) {
  int status = 0;
  pid_t ended;
  while ((ended = waitpid(child, &status, 0)) < 0 && errno == EINTR) {
  }
  return ended < 0 || (WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

std::string firstLine(const std::string &text) {
  return text.substr(0, text.find('\n'));
}

} // namespace

bool translate(const std::string &program, std::string_view module, std::string &bitcode, std::string &error) {
  const MemoryFile input, output, messages;
  if (!input || !output || !messages || !input.write(module)) {
    error = "error: no memory to hand the SPIR-V module to its translator: " + std::string(strerror(errno)) + "\n";
    return false;
  }
  pid_t child = 0;
  if (const int code = start(program, SpawnSetup(input, output, messages), child)) {
    error = "error: the SPIR-V translator '" + program + "' cannot be run: " + strerror(code) +
            "; install llvm-spirv-15, or name it in LANECL_SPIRV_TRANSLATOR\n";
    return false;
  }
  const bool ended_well = waitFor(child);
  bitcode = output.read();
  if (ended_well && bitcode.starts_with(kBitcodeMagic))
    return true;
  error = "error: the SPIR-V translator '" + program + "' failed: " + firstLine(messages.read()) + "\n";
  return false;
}

} // namespace lanecl::frontend::spirv
