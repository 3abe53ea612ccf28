// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Lets calls use the built-in library's relaxed functions instead of its exact ones
// (vectorizer/contract/relaxed_functions.def).
#pragma once

namespace llvm {
class Module;
} // namespace llvm

namespace lanecl::vectorizer {

// Redirects calls with the flag `afn` to the relaxed function, if there is one. Runs before the library is linked.
void callRelaxedFunctions(llvm::Module &program);

} // namespace lanecl::vectorizer
