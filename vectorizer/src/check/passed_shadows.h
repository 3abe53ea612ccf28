// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Kept functions get the shadows of their arguments and return that of their result, where these may be unwritten:
//
//   int f(int x)  ->  { int, int } f(int x, int x.unwritten)
#pragma once

#include "check/unwritten_values.h"

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

// Adds the parameters and results. Calls pass, and functions return, that all is written, until ShadowValues fills in
// the shadows.
PassedShadows addShadowParameters(llvm::Module &module, Reach reach, llvm::FunctionAnalysisManager &analyses);

} // namespace lanecl::vectorizer
