// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Constants without undefined components.
#pragma once

namespace llvm {
class Constant;
}

namespace lanecl::vectorizer {

// The constant with zeros in place of what is undef or poison: of all of it, or of single components of a vector.
llvm::Constant *definedConstant(llvm::Constant &constant);

} // namespace lanecl::vectorizer
