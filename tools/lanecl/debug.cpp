// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `lanecl gdb PROGRAM ARGS…`
#include "commands.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>

namespace fs = std::filesystem;

namespace lanecl::tool {
namespace {

std::string gdbScript() {
  const fs::path folder = fs::read_symlink("/proc/self/exe").parent_path();
  for (const char *candidate : {LANECL_INSTALLED_GDB_SCRIPT, LANECL_BUILT_GDB_SCRIPT})
    if (std::error_code error; fs::exists(folder / candidate, error))
      return fs::canonical(folder / candidate).string();
  throw std::runtime_error("no " + (folder / LANECL_INSTALLED_GDB_SCRIPT).lexically_normal().string() +
                           "; install LaneCL again");
}

} // namespace

int debugProgram(const std::vector<std::string> &words) {
  const auto end = std::find(words.begin(), words.end(), "--");
  const bool has_options = end != words.end();
  const std::vector<std::string> program(has_options ? end + 1 : words.begin(), words.end());
  if (program.empty())
    throw std::runtime_error("no program to debug; write lanecl gdb [GDB-OPTIONS --] PROGRAM ARGS…");
  // One thread runs the kernels, so that sub-groups come one after the other.
  setenv("LANECL_THREADS", "1", /*overwrite=*/0);
  setenv("LANECL_DEBUG", "optimized", /*overwrite=*/0);
  std::vector<std::string> command{"gdb", "-q", "-iex", "source " + gdbScript()};
  if (has_options)
    command.insert(command.end(), words.begin(), end);
  command.emplace_back("--args");
  command.insert(command.end(), program.begin(), program.end());
  return runProgram(command);
}

} // namespace lanecl::tool
