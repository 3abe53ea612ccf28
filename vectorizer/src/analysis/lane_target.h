// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The target description for the analyses: the lanes of a sub-group instead of the host, which has no divergence.
#pragma once

#include "llvm/Analysis/TargetTransformInfo.h"

namespace lanecl::vectorizer {

// The address spaces of the spir64 target, which the vectorizer keeps to the end.
enum AddressSpace : unsigned { kPrivate = 0, kGlobal = 1, kConstant = 2, kLocal = 3, kGeneric = 4 };

// Whether the memory behind the pointer may be the work-item's own: what a load reads there differs between lanes
// even when the address does not.
bool mayPointToPrivate(const llvm::Value &pointer);

// To be registered in a function analysis manager before LLVM's analyses. `one_lane`: nothing diverges.
llvm::TargetIRAnalysis laneTargetAnalysis(bool one_lane);

} // namespace lanecl::vectorizer
