// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Emits the lane instructions, mathematical functions that AVX-512 has as instructions. Their meaning is described in
// vectorizer/contract/lane_instructions.def.
#pragma once

#include "analysis/values/lane_instructions.h"
#include "lanes/context.h"

namespace lanecl::vectorizer::lanes {

// Returns the instruction's result for lane vectors or for scalars of float or double. The address of a table is always
// a scalar. Without AVX-512 only the two rough estimates may be asked for.
llvm::Value *emitLaneInstruction(const LaneContext &c, LaneInstruction instruction,
                                 llvm::ArrayRef<llvm::Value *> operands);

} // namespace lanecl::vectorizer::lanes
