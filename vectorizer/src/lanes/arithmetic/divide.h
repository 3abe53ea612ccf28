// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Integer division, which has no vector instruction and traps on zero, where OpenCL C only leaves the result undefined.
#pragma once

#include "lanes/context.h"

namespace lanecl::vectorizer::lanes {

// `opcode` is UDiv, SDiv, URem or SRem. No operand makes it trap: a division by zero, and the smallest integer divided
// by -1, give some value.
//
// Of scalars (or vectors, element by element): a plain division, its divisor replaced when it would trap.
llvm::Value *emitSafeDivision(llvm::IRBuilderBase &b, llvm::Instruction::BinaryOps opcode, llvm::Value *x,
                              llvm::Value *y);

// Of lane vectors: integers up to 32 bits by a floating-point division, exact because the type has more than twice
// their precision to spare; 64 bits lane by lane.
llvm::Value *emitDivision(const LaneContext &c, llvm::Instruction::BinaryOps opcode, llvm::Value *x, llvm::Value *y);

} // namespace lanecl::vectorizer::lanes
