// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Where the private variables of a sub-group's lanes lie in memory.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

namespace lanecl::vectorizer {

// A private variable that still needs memory (an array, mostly) exists once per lane. Two layouts:
//
//   lane-innermost   cell c of lane l lies at (c * W + l) * cell size: the same cell of all lanes is one vector, so a
//                    uniform index is one register-wide access. Needs every access to have the size of one cell and the
//                    pointer to be used by address arithmetic and accesses only. Offsets have 32 bits, so variables of
//                    more than 32 MiB lie lane-major.
//   lane-major       lane l's variable is contiguous at l * size: works for pointers that escape into other memory,
//                    into calls, selects or phis.
class PrivateLayouts {
public:
  PrivateLayouts() = default; // of one lane: every variable lies as the program declares it
  PrivateLayouts(llvm::Function &function);

  // The size of a cell in bytes when the variable is laid out lane-innermost, else 0.
  unsigned cellBytes(const llvm::AllocaInst &variable) const { return cells.lookup(&variable); }

  // The lane-innermost variable that `pointer` points into, or null.
  const llvm::AllocaInst *laneInnermostVariable(const llvm::Value *pointer) const;

private:
  llvm::DenseMap<const llvm::AllocaInst *, unsigned> cells;
};

// The size of one work-item's variable.
uint64_t privateBytesOf(const llvm::AllocaInst &variable);
// The sizes of all variables of one work-item in this function, saturated.
uint64_t privateBytesOf(const llvm::Function &function);

// The lane-major stride: the variable's size rounded up to its alignment.
uint64_t laneMajorStride(const llvm::AllocaInst &variable);

} // namespace lanecl::vectorizer
