// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Finds the branches of a loop that decide whether a block is reached in a turn, and whether another turn follows. A
// turn is one iteration: it starts at the loop's header and ends at the header again or outside of the loop.
//
//   for (;;)
//     if (a) {
//       if (b) break;
//     } else {
//       if (c) break;
//     }
//
// Here b and c decide directly whether the loop ends, and a decides which of them is evaluated. These are the control
// dependences of a single turn. Edges that are never taken (control_flow/keep_in_loops.h) do not count.
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

  // Returns the terminators that decide directly whether a block of the loop is reached. A terminator may be listed
  // more than once.
  llvm::ArrayRef<const llvm::Instruction *> of(const llvm::BasicBlock &block) const;
  // Returns the terminators that decide directly whether the turn ends with another one or outside of the loop.
  llvm::ArrayRef<const llvm::Instruction *> ofEnd() const;

private:
  // The first nodes stand for the ends of a turn: kAgain for another turn, kOut for leaving the loop, and both lead to
  // kEnd. The loop's blocks follow, its header first.
  enum Node : unsigned { kEnd, kAgain, kOut, kFirstBlock };

  void addNodes(const llvm::Loop &loop);
  void orderNodes();
  unsigned meet(unsigned one, unsigned other) const;
  void findPostDominators();
  void addControls(unsigned branch);

  llvm::DenseMap<const llvm::BasicBlock *, unsigned> node_of;
  llvm::SmallVector<const llvm::Instruction *> terminators; // of the blocks, by node
  llvm::SmallVector<llvm::SmallVector<unsigned, 2>> successors, predecessors;
  // The nodes that reach kEnd, starting with it: reverse postorder of the reversed graph, so that a node comes after
  // every node that all paths from it pass.
  llvm::SmallVector<unsigned> order;
  // The position of each node in `order`; kNowhere for a node that does not reach kEnd.
  llvm::SmallVector<unsigned> position;
  // The position of the immediate post-dominator of the node at each position.
  llvm::SmallVector<unsigned> post_dominators;
  // The result by node: the terminators on which a node depends directly.
  llvm::SmallVector<llvm::SmallVector<const llvm::Instruction *, 2>> controls;
  llvm::SmallVector<const llvm::Instruction *, 4> end_controls;
};

// Whether a path leads from a turn to the next one without passing any of the edges for which `edge` is true.
bool mayRepeatWithout(const llvm::Loop &loop,
                      llvm::function_ref<bool(const llvm::Instruction &terminator, unsigned successor)> edge);

// Whether this edge is one that is never taken and only keeps a block in its loop (control_flow/keep_in_loops.h).
bool isNeverTaken(const llvm::Instruction &terminator, unsigned successor);

} // namespace lanecl::vectorizer
