// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The memory layout of the private variables of a sub-group's lanes.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

namespace lanecl::vectorizer {

// A private variable that is not promoted to registers (mostly an array) exists once for each lane. There are two
// layouts:
//
//   lane-innermost   Cell c of lane l lies at (c * W + l) * cell size. The same cell of all lanes is one vector, so an
//                    access with a uniform index is one access of a register's width. It requires that each access has
//                    the size of one cell, and that only address arithmetic and accesses use the pointer. Offsets have
//                    32 bits, so a variable of more than 32 MiB is laid out lane-major.
//   lane-major       The variable of lane l is contiguous at l * stride. This works for pointers that escape into
//                    memory, calls, selects or phis.
class PrivateLayouts {
public:
  // Makes the layouts for code of one lane: every variable lies as the program declares it.
  PrivateLayouts() = default;
  // Chooses the layout of each variable of the function.
  PrivateLayouts(llvm::Function &function);

  // Returns the size of a cell in bytes if the variable is lane-innermost, else 0.
  unsigned cellBytes(const llvm::AllocaInst &variable) const { return cells.lookup(&variable); }

  // Returns the lane-innermost variable that `pointer` points into, or null.
  const llvm::AllocaInst *laneInnermostVariable(const llvm::Value *pointer) const;

private:
  llvm::DenseMap<const llvm::AllocaInst *, unsigned> cells;
};

// Returns the size in bytes of one work-item's variable.
uint64_t privateBytesOf(const llvm::AllocaInst &variable);
// Returns the sum of the sizes of one work-item's variables in this function, saturated.
uint64_t privateBytesOf(const llvm::Function &function);

// Returns the distance in bytes from lane to lane in the lane-major layout: the variable's size rounded up to its
// alignment.
uint64_t laneMajorStride(const llvm::AllocaInst &variable);

} // namespace lanecl::vectorizer
