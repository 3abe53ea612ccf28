// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Structures and arrays that translated SPIR-V loads and stores whole.
#pragma once

namespace llvm {
class Module;
}

namespace lanecl::frontend::spirv {

// Loads and stores each of their scalars and vectors separately, as Clang does: later passes handle nothing else.
void splitAggregateAccesses(llvm::Module &module);

} // namespace lanecl::frontend::spirv
