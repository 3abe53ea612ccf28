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

} // namespace

TemporaryFolder::TemporaryFolder(const std::string &begin_of_name) {
  std::string name = (fs::temp_directory_path() / (begin_of_name + "XXXXXX")).string();
  if (!mkdtemp(name.data()))
    throw std::runtime_error("cannot make a folder " + name + ": " + std::strerror(errno));
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
  child = id;
  // The terminal sends Ctrl-C to the program as well, so this process only has to survive it.
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGQUIT, SIG_IGN);
  std::signal(SIGTERM, passOn);
  std::signal(SIGHUP, passOn);
  int status = 0;
  while (waitpid(id, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

int exitStatus(int wait_status) {
  return WIFSIGNALED(wait_status) ? 128 + WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
}

} // namespace lanecl::tool
