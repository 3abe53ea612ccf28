// How much memory a kernel asks for by its variables.
#pragma once

#include <cstdint>

namespace llvm {
class Function;
}

namespace lanecl::frontend {

struct MemoryUse {
  uint64_t local_bytes = 0;   // __local variables that the kernel or a function it calls mentions
  uint64_t private_bytes = 0; // private arrays; scalars and vectors live in registers
};

MemoryUse measureMemory(const llvm::Function &kernel);

} // namespace lanecl::frontend
