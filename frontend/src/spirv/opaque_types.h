// Images, samplers and events of translated SPIR-V get types of their own.
#pragma once

namespace llvm {
class Module;
}

namespace lanecl::frontend::spirv {

// The translator's LLVM has pointers to named structs for them, of which the upgrade to plain pointers leaves nothing.
// What they were is inferred (opaque_type_inference.h), and values, signatures and variables get the types back.
void restoreOpaqueTypes(llvm::Module &module);

} // namespace lanecl::frontend::spirv
