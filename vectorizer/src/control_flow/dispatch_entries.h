// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Turns loops with many entries, such as dozens of labels and `goto`s make, into a loop around a switch. Every edge
// into the loop and every edge back sets the number of its target and goes to the switch. LLVM's FixIrreducible would
// nest one loop for each entry, and each value would go through all of these loops.
//
//   L0: ... if (c) goto L2;        for (;;) switch (next) {
//   L1: ... if (d) goto L0;   ->   case 0: ... if (c) goto L2;
//   L2: ... if (e) goto L1;        case 1: ... if (d) { next = 0; continue; }
//                                  L2: ... if (e) { next = 1; continue; } ...
#pragma once

#include "llvm/Analysis/CycleAnalysis.h"

namespace lanecl::vectorizer {

// Expects that the function's switches are lowered; it adds new ones. Returns whether there was such a loop.
bool dispatchEntries(llvm::Function &function, const llvm::CycleInfo &cycles);

} // namespace lanecl::vectorizer
