// Programs that do a part of the work.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace lanecl::frontend {

struct ChildResult {
  std::string failure; // "it cannot be run: …"; empty: it ended by itself and well
  std::string output, messages;
};

// Runs a program, given by its path, with `input` as its standard input. It sees nothing of this process but that: no
// environment, no files, no handling of signals. When the time is over it is killed, with all it has started.
ChildResult runChild(const std::string &program, const std::vector<std::string> &arguments, std::string_view input,
                     std::chrono::milliseconds limit);

} // namespace lanecl::frontend
