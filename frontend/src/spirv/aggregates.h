// Structures and arrays that translated SPIR-V loads and stores whole.
#pragma once

namespace llvm {
class Module;
}

namespace lanecl::frontend::spirv {

// Each of their scalars and vectors is loaded and stored by itself, as Clang does it: what comes after knows no others.
void splitAggregateAccesses(llvm::Module &module);

} // namespace lanecl::frontend::spirv
