// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Replaces undefined parts of constants.
#pragma once

namespace llvm {
class Constant;
}

namespace lanecl::vectorizer {

// Returns the constant with zeros in place of undef and poison, be it the whole constant or single components of a
// vector.
llvm::Constant *definedConstant(llvm::Constant &constant);

} // namespace lanecl::vectorizer
