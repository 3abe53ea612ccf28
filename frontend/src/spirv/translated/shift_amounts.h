// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Defines shifts by the width or more. SPIR-V leaves their result open, and LLVM's result is poison.
#pragma once

namespace llvm {
class Module;
}

namespace lanecl::frontend::spirv {

// Takes amounts modulo the width, as OpenCL C does and as Clang's masks do.
void maskShiftAmounts(llvm::Module &module);

} // namespace lanecl::frontend::spirv
