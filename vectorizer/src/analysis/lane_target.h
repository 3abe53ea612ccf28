// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The target description that LLVM's analyses get: the lanes of a sub-group. The description of the host CPU would say
// that no branch diverges.
#pragma once

#include "llvm/Analysis/TargetTransformInfo.h"

namespace lanecl::vectorizer {

// The address spaces of the spir64 target, which the vectorizer keeps up to code generation.
enum AddressSpace : unsigned { kPrivate = 0, kGlobal = 1, kConstant = 2, kLocal = 3, kGeneric = 4 };

// Whether the pointer may point to the work-item's own private memory. What a load reads there differs between lanes
// even if the address does not.
bool mayPointToPrivate(const llvm::Value &pointer);

// Returns the analysis that provides the description. Register it in a function analysis manager before LLVM's
// analyses. With `one_lane`, nothing diverges.
llvm::TargetIRAnalysis laneTargetAnalysis(bool one_lane);

} // namespace lanecl::vectorizer
