// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Kernels that the compiler works on for seconds.
#pragma once

#include <chrono>
#include <string>

namespace lanecl::test {

// A kernel with arguments (global uint *, global const uint *): one expression of so many terms, whose values are all
// live at once. A thousand terms take some seconds, most of them in a single pass. Each call makes another kernel,
// which is in no cache.
inline std::string longKernel(const std::string &name, unsigned terms) {
  const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
  std::string text = "kernel void " + name + "(global uint *o, global const uint *a) {\n" +
                     "  uint i = get_global_id(0), x = a[i], y = i + " + std::to_string(now % 1'000'000'000) + "u;\n" +
                     "  o[i] = y";
  for (unsigned i = 0; i < terms; ++i)
    text += "\n    + (x > " + std::to_string(i * 7919 % 1000) + "u ? y * " + std::to_string(i * 31 % 99) + "u + " +
            std::to_string(i) + "u : x ^ " + std::to_string(i * 104729 % 9999) + "u)";
  return text + ";\n}\n";
}

} // namespace lanecl::test
