// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Many modules, given to the device in a process of their own, which may crash or hang.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>

namespace lanecl::modules {

struct Plan {
  bool damaged = false; // or valid ones
  uint64_t seed = 1;
  size_t count = 100;
  std::filesystem::path corpus;   // *.spvasm and *.spv: what is damaged, and with valid modules only built
  std::filesystem::path failures; // where modules that failed are kept
  unsigned limit = 60;            // seconds for one module
};

// Prints what became of the modules. How many failed: crashed, took too long, were valid and did not build, or
// computed something else.
size_t run(const Plan &plan);

} // namespace lanecl::modules
