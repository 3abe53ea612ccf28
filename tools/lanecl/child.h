// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A program that is run to be watched: its processes leave what they know in a folder.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace lanecl::tool {

// A new folder in the system's one for such, removed with all that is in it. Throws std::runtime_error.
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

// Of this process's environment, which the program gets.
void setVariable(const char *name, const std::string &value);

// Runs the program on our device and waits for its end. Signals that mean to end this process are passed on. Returns
// its wait status.
int runAndWait(const std::vector<std::string> &program);

// As shells say it: the exit status, or 128 and the signal that ended the program.
int exitStatus(int wait_status);

} // namespace lanecl::tool
