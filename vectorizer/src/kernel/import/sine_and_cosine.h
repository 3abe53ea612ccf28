// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Sine and cosine of the same angle share its reduction, and each other's polynomials.
#pragma once

namespace llvm {
class Module;
} // namespace llvm

namespace lanecl::vectorizer {

// Before the library is linked: where a block of the program computes sin and cos of a value, it calls sincos.
void joinSineAndCosine(llvm::Module &program);

} // namespace lanecl::vectorizer
