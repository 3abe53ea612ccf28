// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

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

std::string vectorIsa() {
  if (__builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw"))
    return "avx512";
  return __builtin_cpu_supports("avx2") ? "avx2" : "sse2";
}

} // namespace

Machine thisMachine() {
  return {processorName(), std::max(1u, std::thread::hardware_concurrency()), vectorIsa()};
}

} // namespace bench
