// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Describes the machine that the benchmarks run on.
#include "native/native.h"
#include "results.h"

#include <fstream>
#include <thread>

namespace bench {

namespace {

std::string processorName() {
  std::ifstream stream("/proc/cpuinfo");
  for (std::string line; std::getline(stream, line);)
    if (line.starts_with("model name"))
      if (const size_t colon = line.find(": "); colon != std::string::npos)
        return line.substr(colon + 2);
  return "unknown";
}

} // namespace

Machine thisMachine() {
  return {processorName(), std::max(1u, std::thread::hardware_concurrency()), native::instructionSet()};
}

} // namespace bench
