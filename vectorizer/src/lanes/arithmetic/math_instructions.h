// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The lane instructions (vectorizer/contract/lane_instructions.def).
#pragma once

#include "analysis/lane_instructions.h"
#include "lanes/context.h"

namespace lanecl::vectorizer::lanes {

// Of lane vectors, or of scalars: float or double. The address of a table is always a scalar.
llvm::Value *emitLaneInstruction(const LaneContext &c, LaneInstruction instruction,
                                 llvm::ArrayRef<llvm::Value *> operands);

} // namespace lanecl::vectorizer::lanes
