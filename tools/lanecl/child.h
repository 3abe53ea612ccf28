// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Runs a program whose processes leave what they know about their kernels in a temporary folder. `lanecl check` and
// `lanecl report` read that folder when the program has ended.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace lanecl::tool {

// A new folder below the system's folder for temporary files. The destructor removes it with everything in it. The
// constructor throws std::runtime_error when the folder cannot be made.
class TemporaryFolder {
public:
  explicit TemporaryFolder(const std::string &begin_of_name);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;

  const std::filesystem::path &path() const { return path_; }

private:
  std::filesystem::path path_;
};

// Sets a variable of this process's environment, which the program that runAndWait() starts will inherit.
void setVariable(const char *name, const std::string &value);

// Runs the program on our device, waits for its end and returns its wait status. SIGTERM and SIGHUP are passed on to
// the program; SIGINT and SIGQUIT, which a terminal sends to both, are ignored here.
int runAndWait(const std::vector<std::string> &program);

// Returns what a shell would: the exit status, or 128 plus the number of the signal that ended the program.
int exitStatus(int wait_status);

} // namespace lanecl::tool
