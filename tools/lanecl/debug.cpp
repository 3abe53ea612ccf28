// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `lanecl gdb PROGRAM ARGS…` and `lanecl lldb PROGRAM ARGS…`: start the debugger so that it shows kernels.
#include "commands.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <stdexcept>

#include <unistd.h>

namespace fs = std::filesystem;

namespace lanecl::tool {
namespace {

// Returns the path of LaneCL's commands for gdb, in the installation or in the build tree.
std::string gdbScript() {
  const fs::path folder = fs::read_symlink("/proc/self/exe").parent_path();
  for (const char *candidate : {LANECL_INSTALLED_GDB_SCRIPT, LANECL_BUILT_GDB_SCRIPT})
    if (std::error_code error; fs::exists(folder / candidate, error))
      return fs::canonical(folder / candidate).string();
  throw std::runtime_error("cannot find " + (folder / LANECL_INSTALLED_GDB_SCRIPT).lexically_normal().string() +
                           "; reinstall LaneCL");
}

// Returns the first of these names that is a program in PATH. When there is none, returns the first name, so that the
// error message names it.
std::string inPath(std::initializer_list<const char *> names) {
  const char *path = std::getenv("PATH");
  for (const char *name : names) {
    std::istringstream folders(path ? path : "");
    for (std::string folder; std::getline(folders, folder, ':');)
      if (access((fs::path(folder) / name).c_str(), X_OK) == 0)
        return name;
  }
  return *names.begin();
}

// The debugger with its options for kernels, and the word that comes before the program's command line.
struct DebuggerCommand {
  std::vector<std::string> start;
  std::string before_program;
};

DebuggerCommand commandOf(Debugger debugger) {
  if (debugger == Debugger::Gdb)
    return {{"gdb", "-q", "-iex", "source " + gdbScript()}, "--args"};
  return {{inPath({"lldb", "lldb-22", "lldb-21", "lldb-20", "lldb-19"}), "-O",
           "settings set plugin.jit-loader.gdb.enable on"},
          "--"};
}

constexpr const char *kGdbHelp = R"(Starts gdb so that it shows kernels: every sub-group, lane and variable.

Usage: lanecl gdb [--check] [GDB-OPTIONS --] PROGRAM ARGS…

  lanecl gdb ./app 64                     opens gdb's prompt; `break kernel.cl:7` and `run` stop in a kernel
  lanecl gdb -batch -x commands -- ./app  passes options to gdb

`lane` shows the lanes of a sub-group, `lane 3` and `lane gid 17` select one; `help lane` lists more.

Options:
  -h,--help  Print this help message and exit
  --check    Stop where a kernel breaks a rule, as `lanecl check` reports it
)";

constexpr const char *kLldbHelp = R"(Starts LLDB so that it shows kernels: their lines, their variables and all lanes.

Usage: lanecl lldb [LLDB-OPTIONS --] PROGRAM ARGS…

  lanecl lldb ./app 64                 opens LLDB's prompt; `b kernel.cl:7` and `run` stop in a kernel
  lanecl lldb --batch -o run -- ./app  passes options to LLDB

Options:
  -h,--help  Print this help message and exit
)";

constexpr const char *kSettingsHelp = R"(
Unless the environment says otherwise, LANECL_DEBUG=optimized builds kernels for debugging and LANECL_THREADS=1 runs one
sub-group after the other.
)";

bool asksForHelp(const std::vector<std::string> &words) {
  return !words.empty() && (words.front() == "--help" || words.front() == "-h");
}

// Returns the `--` that ends the options of the debugger, or the end if there are none. They begin with a dash, so that
// a `--` behind a program is one of the program's arguments.
auto endOfOptions(const std::vector<std::string> &words) {
  const bool has_options = !words.empty() && words.front().starts_with("-");
  return has_options ? std::find(words.begin(), words.end(), "--") : words.end();
}

} // namespace

int debugProgram(Debugger debugger, std::vector<std::string> words) {
  if (asksForHelp(words)) {
    fmt::print("{}{}", debugger == Debugger::Gdb ? kGdbHelp : kLldbHelp, kSettingsHelp);
    return 0;
  }
  const bool checks = !words.empty() && words.front() == "--check";
  if (checks && debugger != Debugger::Gdb)
    throw std::runtime_error("only gdb stops at findings of --check; use lanecl gdb --check PROGRAM ARGS…");
  if (checks)
    words.erase(words.begin());
  const auto end = endOfOptions(words);
  const bool has_options = end != words.end();
  const std::vector<std::string> program(has_options ? end + 1 : words.cbegin(), words.cend());
  if (program.empty())
    throw std::runtime_error("no program to debug; usage: lanecl " +
                             std::string(debugger == Debugger::Gdb ? "gdb" : "lldb") +
                             " [--check] [DEBUGGER-OPTIONS --] PROGRAM ARGS…");
  // One thread runs the kernels, so that sub-groups run one after the other and a step does not jump between them.
  setenv("LANECL_THREADS", "1", /*overwrite=*/0);
  setenv("LANECL_DEBUG", "optimized", /*overwrite=*/0);
  if (checks)
    setenv("LANECL_CHECK", "all", /*overwrite=*/0);
  auto [command, before_program] = commandOf(debugger);
  if (has_options)
    command.insert(command.end(), words.cbegin(), end);
  command.push_back(before_program);
  command.insert(command.end(), program.begin(), program.end());
  return runProgram(command);
}

} // namespace lanecl::tool
