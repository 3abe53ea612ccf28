// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Runs other programs.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lanecl::frontend {

struct ChildResult {
  std::string failure; // "it cannot be run: …"; empty: it exited with status 0
  std::string output, messages;
};

// Bytes of address space.
inline constexpr size_t kChildMemory = size_t(16) << 30;

// Runs a program, given by its path, with `input` as its standard input. It inherits nothing else from this process: no
// environment, no files, no handling of signals. It can have kChildMemory. When the time is over it is killed, with all
// processes that it has started.
ChildResult runChild(const std::string &program, const std::vector<std::string> &arguments, std::string_view input,
                     std::chrono::milliseconds limit);

} // namespace lanecl::frontend
