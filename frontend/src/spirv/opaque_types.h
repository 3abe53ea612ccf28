// Images, samplers and events of translated SPIR-V get types of their own.
#pragma once

namespace llvm {
class Module;
}

namespace lanecl::frontend::spirv {

// The translator's LLVM has pointers to named structs for them, of which the upgrade to plain pointers leaves nothing.
// What they were is known from the kernels' argument lists and from the names of built-in functions; from there it goes
// through the module.
void restoreOpaqueTypes(llvm::Module &module);

} // namespace lanecl::frontend::spirv
