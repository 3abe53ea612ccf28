// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Runs the program of `lanecl check` and `lanecl report` as a child process.
#include "child.h"

#include "commands.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <system_error>

#include <sys/wait.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace lanecl::tool {
namespace {

volatile std::sig_atomic_t child = 0;

// Passes a signal that would end this process on to the program. This process waits for the program's end and then
// reports what was found until then.
void passOn(int signal) {
  kill(pid_t(child), signal);
}

// Handles a signal in another way for as long as the object exists.
class Handling {
public:
  Handling(int number, void (*handler)(int)) : number(number) {
    struct sigaction wanted{};
    wanted.sa_handler = handler;
    wanted.sa_flags = SA_RESTART;
    sigaction(number, &wanted, &before);
  }
  ~Handling() { sigaction(number, &before, nullptr); }
  Handling(const Handling &) = delete;
  Handling &operator=(const Handling &) = delete;

private:
  const int number;
  struct sigaction before{};
};

// Waits until the program has ended, and passes signals on until then. The process is left for waitpid(), so that its
// number does not become that of another one before the handlers are gone.
void waitForEnd(pid_t id) {
  child = id;
  // The terminal sends Ctrl-C to the program as well, so this process only has to survive it.
  const Handling interrupt(SIGINT, SIG_IGN), quit(SIGQUIT, SIG_IGN), terminate(SIGTERM, passOn),
      hang_up(SIGHUP, passOn);
  siginfo_t ignored;
  while (waitid(P_PID, id_t(id), &ignored, WEXITED | WNOWAIT) < 0 && errno == EINTR) {
  }
}

} // namespace

TemporaryFolder::TemporaryFolder(const std::string &begin_of_name) {
  std::string name = (fs::temp_directory_path() / (begin_of_name + "XXXXXX")).string();
  if (!mkdtemp(name.data()))
    throw std::runtime_error("cannot create a folder " + name + ": " + std::strerror(errno));
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

void setVariable(const char *name, const std::string &value) {
  setenv(name, value.c_str(), /*overwrite=*/1);
}

int runAndWait(const std::vector<std::string> &program) {
  const pid_t id = fork();
  if (id < 0)
    throw std::runtime_error(std::string("cannot start a process: ") + std::strerror(errno));
  if (id == 0)
    _exit(runProgram(program));
  waitForEnd(id);
  int status = 0;
  while (waitpid(id, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

int exitStatus(int wait_status) {
  return WIFSIGNALED(wait_status) ? 128 + WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
}

} // namespace lanecl::tool
