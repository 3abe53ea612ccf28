// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Drops promises in the IR about values that a program may leave undefined.
#pragma once

namespace llvm {
class Module;
}

namespace lanecl::vectorizer {

// Drops `noundef` from parameters, results and loads, and the range that Clang gives to a loaded `bool`. With them,
// passing on an uninitialized value would be undefined behavior, and so would a `bool` with other bits.
void dropPromises(llvm::Module &module);

} // namespace lanecl::vectorizer
