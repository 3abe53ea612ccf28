// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Chooses between the built-in library's exact functions and its relaxed ones
// (vectorizer/contract/relaxed_functions.def).
#pragma once

namespace llvm {
class Module;
} // namespace llvm

namespace lanecl::vectorizer {

// Before the library is linked: calls with the flag `afn` call the relaxed function where there is one.
void callRelaxedFunctions(llvm::Module &program);

} // namespace lanecl::vectorizer
