// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Images, samplers and events of translated SPIR-V get types of their own.
#pragma once

namespace llvm {
class Module;
}

namespace lanecl::frontend::spirv {

// In the translator's LLVM they are pointers to named structs, and the upgrade to plain pointers drops these names. The
// types are inferred (opaque_type_inference.h) and given back to values, signatures and variables.
void restoreOpaqueTypes(llvm::Module &module);

} // namespace lanecl::frontend::spirv
