// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Runs another program and collects what it writes.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lanecl::frontend {

// The outcome of a child process: the reason why it failed, and its standard output and standard error.
struct ChildResult {
  std::string failure; // "it cannot be run: …"; empty: it exited with status 0
  std::string output, messages;
};

// The address space that a child may use, in bytes: 16 GiB.
inline constexpr size_t kChildMemory = size_t(16) << 30;

// Runs the program at this path with `input` as its standard input. The child inherits nothing else from this process:
// no environment, no files, no handling of signals. Its address space is limited to kChildMemory. When the limit is
// over, the child and all processes that it has started are killed.
ChildResult runChild(const std::string &program, const std::vector<std::string> &arguments, std::string_view input,
                     std::chrono::milliseconds limit);

} // namespace lanecl::frontend
