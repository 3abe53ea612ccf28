// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Many modules, given to the device in a process of their own, which may crash or hang.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>

namespace lanecl::modules {

enum class Kind {
  Damaged, // at random
  Valid,   // made at random, behind those of the corpus: all have to be built
  Foreign, // those of the corpus, which may ask for what the device does not have
};

struct Plan {
  Kind kind = Kind::Valid;
  uint64_t seed = 1;
  size_t count = 100;
  std::filesystem::path corpus;   // *.spvasm and *.spv: what is damaged, and otherwise only built
  std::filesystem::path failures; // where modules that failed are kept
  unsigned limit = 60;            // seconds for one module
};

// Prints what became of the modules, and why foreign ones are refused. How many failed: crashed, took too long, were
// refused without a reason, were valid and did not build, or computed something else.
size_t run(const Plan &plan);

} // namespace lanecl::modules
