// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Splits loads and stores of whole structures and arrays, as translated SPIR-V has them.
#pragma once

namespace llvm {
class Module;
}

namespace lanecl::frontend::spirv {

// Replaces each such access by loads and stores of its scalars and vectors, as Clang emits them: later passes handle
// nothing else.
void splitAggregateAccesses(llvm::Module &module);

} // namespace lanecl::frontend::spirv
