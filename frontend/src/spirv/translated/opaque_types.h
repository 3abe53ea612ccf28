// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Gives images, samplers, events, pipes and reservations of translated SPIR-V their types back.
#pragma once

namespace llvm {
class Module;
}

namespace lanecl::frontend::spirv {

// In the translator's LLVM they are pointers to named structures, and the upgrade to untyped pointers drops the names.
// The types are inferred (opaque_type_inference.h) and given back to values, signatures and variables.
void restoreOpaqueTypes(llvm::Module &module);

} // namespace lanecl::frontend::spirv
