// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Which branches of a loop decide whether a block is reached in a turn, and whether another turn follows.
//
//   for (;;)
//     if (a) {
//       if (b) break;
//     } else {
//       if (c) break;
//     }
//
// Directly, b and c decide whether the loop ends; a decides which of them is asked. These are the control dependences
// of the turn, which begins at the loop's header and ends there or outside of the loop. Edges that are never taken
// count for nothing.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class BasicBlock;
class Instruction;
class Loop;
} // namespace llvm

namespace lanecl::vectorizer {

class TurnControls {
public:
  explicit TurnControls(const llvm::Loop &loop);

  // The terminators that directly decide whether a block of the loop is reached; each may be listed more than once.
  llvm::ArrayRef<const llvm::Instruction *> of(const llvm::BasicBlock &block) const;
  // Those that directly decide whether the turn ends with another one or outside of the loop.
  llvm::ArrayRef<const llvm::Instruction *> ofEnd() const;

private:
  // The ends of a turn come first, the loop's blocks follow, its header first. Every way leads to kEnd.
  enum Node : unsigned { kEnd, kAgain, kOut, kFirstBlock };

  void addNodes(const llvm::Loop &loop);
  void orderNodes();
  unsigned meet(unsigned one, unsigned other) const;
  void findPostDominators();
  void addControls(unsigned branch);

  llvm::DenseMap<const llvm::BasicBlock *, unsigned> node_of;
  llvm::SmallVector<const llvm::Instruction *> terminators; // of the blocks
  llvm::SmallVector<llvm::SmallVector<unsigned, 2>> successors, predecessors;
  llvm::SmallVector<unsigned> order;    // nodes from the end on, each before those from which all ways lead to it
  llvm::SmallVector<unsigned> position; // of a node in `order`; a node that reaches no end has none
  llvm::SmallVector<unsigned> post_dominators; // the next node that every way from a node passes, by position
  llvm::SmallVector<llvm::SmallVector<const llvm::Instruction *, 2>> controls;
  llvm::SmallVector<const llvm::Instruction *, 4> end_controls;
};

// Whether a way leads from a turn to the next one that passes none of these edges.
bool mayRepeatWithout(const llvm::Loop &loop,
                      llvm::function_ref<bool(const llvm::Instruction &terminator, unsigned successor)> edge);

// The edge of this number is one that keeps a block in its loop (control_flow/keep_in_loops.h).
bool isNeverTaken(const llvm::Instruction &terminator, unsigned successor);

} // namespace lanecl::vectorizer
