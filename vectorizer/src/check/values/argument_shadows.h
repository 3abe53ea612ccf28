// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Passes shadows to kept functions, and returns them, for arguments and results that may be uninitialized:
//
//   int f(int x)     ──>     { int, int } f(int x, int x.unwritten)
#pragma once

#include "check/values/unwritten_values.h"

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

// Adds the parameters and results and returns them. At first all calls and returns pass zeros, which means initialized,
// until ShadowValues fills in the shadows.
ArgumentShadows addShadowParameters(llvm::Module &module, Reach reach, llvm::FunctionAnalysisManager &analyses);

} // namespace lanecl::vectorizer
