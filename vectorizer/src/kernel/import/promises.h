// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What IR promises of values that a program may leave open.
#pragma once

namespace llvm {
class Module;
}

namespace lanecl::vectorizer {

// Drops `noundef` of parameters, results and loads, and the range of what is loaded, which Clang gives to a `bool`:
// to pass on a value that nothing wrote would be undefined behaviour, and so would be a `bool` of other bits.
void dropPromises(llvm::Module &module);

} // namespace lanecl::vectorizer
