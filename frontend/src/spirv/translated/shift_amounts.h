// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Amounts of shifts. SPIR-V leaves the result of a shift by the width or more open; LLVM's is poison.
#pragma once

namespace llvm {
class Module;
}

namespace lanecl::frontend::spirv {

// Takes amounts modulo the width, as OpenCL C does and Clang's masks do.
void maskShiftAmounts(llvm::Module &module);

} // namespace lanecl::frontend::spirv
