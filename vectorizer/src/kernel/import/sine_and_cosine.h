// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Joins sines and cosines of the same angle to calls of sincos, which reduces the angle once and shares polynomials:
//
//   s = sin(x);                         s = sincos(x, &c);
//   c = cos(x);             ──>
#pragma once

namespace llvm {
class Module;
} // namespace llvm

namespace lanecl::vectorizer {

// Joins the calls in each block of the program; to be called before the library is linked.
void joinSineAndCosine(llvm::Module &program);

} // namespace lanecl::vectorizer
