// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Integer division of lanes. x86 has no vector instruction for it, and the scalar one traps on zero, where OpenCL C
// only leaves the result undefined.
#pragma once

#include "lanes/context.h"

namespace lanecl::vectorizer::lanes {

// Divides scalars, or vectors element by element, and never traps: `opcode` is UDiv, SDiv, URem or SRem. The result of
// a division by zero, and of the smallest integer divided by -1, is some value. Emits a plain division, whose divisor
// is replaced where it would trap.
llvm::Value *emitSafeDivision(llvm::IRBuilderBase &b, llvm::Instruction::BinaryOps opcode, llvm::Value *x,
                              llvm::Value *y);

// Divides lane vectors, with the same guarantee. Integers of up to 32 bits are divided in floating point: up to 16 bits
// as float, others as double. The quotient is exact because the significand is at least 8 bits longer than the
// integers. Integers of 64 bits are divided lane by lane.
llvm::Value *emitDivision(const LaneContext &c, llvm::Instruction::BinaryOps opcode, llvm::Value *x, llvm::Value *y);

} // namespace lanecl::vectorizer::lanes
