// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Measures what a short program waits for: a whole process that gets one result from a kernel, including its start and
// end. The process of the warm-up has filled the platform's cache, if it has one.
#include "../benchmark.h"

#include <array>
#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>

namespace bench {

namespace {

// Returns the file of the device's driver: the library that contains the first function in the table of its platform
// (cl_khr_icd).
std::string driverOf(const Device &device) {
  const cl_platform_id platform = device.device.getInfo<CL_DEVICE_PLATFORM>();
  void *const *const functions = *reinterpret_cast<void *const *const *>(platform);
  Dl_info info{};
  if (dladdr(functions[0], &info) == 0 || !info.dli_fname)
    throw std::runtime_error("the driver's library is unknown");
  return info.dli_fname;
}

// Returns this process's environment with variables that make the OpenCL loader use only that driver.
std::vector<std::string> environmentWith(const std::string &driver) {
  std::vector<std::string> variables{"OCL_ICD_VENDORS=" + driver, "OCL_ICD_FILENAMES=" + driver};
  for (char **variable = environ; *variable; ++variable)
    if (!std::string_view(*variable).starts_with("OCL_ICD_"))
      variables.emplace_back(*variable);
  return variables;
}

class Processes : public Case {
public:
  explicit Processes(const Device &device) : variables(environmentWith(driverOf(device))) {
    for (std::string &variable : variables)
      environment.push_back(variable.data());
    environment.push_back(nullptr);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  }
  Processes(const Processes &) = delete;
  ~Processes() override { posix_spawn_file_actions_destroy(&actions); }

  void run() override {
    std::string program = BENCH_START_PROGRAM;
    const std::array<char *, 2> arguments{program.data(), nullptr};
    pid_t child = 0;
    if (posix_spawn(&child, program.c_str(), &actions, nullptr, arguments.data(), environment.data()) != 0)
      throw std::runtime_error("cannot start " + program);
    if (waitpid(child, &status, 0) != child)
      throw std::runtime_error("cannot wait for " + program);
  }
  void verify() override {
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
      throw Mismatch("the process computed a wrong result");
  }

private:
  std::vector<std::string> variables;
  std::vector<char *> environment; // pointers into `variables`, ending with null
  posix_spawn_file_actions_t actions;
  int status = 0;
};

} // namespace

Benchmark processStart() {
  return {"process-start",
          "a process with one small kernel that an earlier process has built",
          1,
          0,
          "",
          [](const Device &device) { return std::make_unique<Processes>(device); },
          {}};
}

} // namespace bench
