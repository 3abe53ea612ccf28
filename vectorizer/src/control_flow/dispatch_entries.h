// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Loops with many entries, as dozens of labels and `goto`s make them, become a loop around a switch: every way back,
// and every way in, says where it leads and goes to the switch. LLVM's pass for a single entry nests a loop for each
// entry, and each value goes through all of them.
//
//   L0: ... if (c) goto L2;        for (;;) switch (next) {
//   L1: ... if (d) goto L0;   ->   case 0: ... if (c) goto L2;
//   L2: ... if (e) goto L1;        case 1: ... if (d) { next = 0; continue; }
//                                  L2: ... if (e) { next = 1; continue; } ...
#pragma once

#include "llvm/Analysis/CycleAnalysis.h"

namespace lanecl::vectorizer {

// The function's switches are lowered; new ones are added. True if there was such a loop.
bool dispatchEntries(llvm::Function &function, const llvm::CycleInfo &cycles);

} // namespace lanecl::vectorizer
