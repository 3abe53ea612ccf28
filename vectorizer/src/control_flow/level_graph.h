// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The acyclic view of one nesting level that linearize works on: the blocks of a loop body (or of the function) with
// the inner loops collapsed to single nodes and the edge back to the header removed.
//
// A lane that takes an edge out of the level (a loop's exit, an early return) is inactive for the rest of the level.
// Such edges are not edges of the graph, so that the code behind "if (c) break;" does not count as a branch of the
// `if`.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <memory>

namespace llvm {
class BasicBlock;
class Function;
class Loop;
class LoopInfo;
} // namespace llvm

namespace lanecl::vectorizer {

struct LevelNode {
  llvm::BasicBlock *entry = nullptr;            // null: one of the two ends
  llvm::Loop *loop = nullptr;                   // set: an inner loop as a whole, entry is its header
  bool leaves_level = false;                    // has an edge that leaves the level
  bool divergent = false;                       // its branch is divergent
  unsigned index = 0;                           // topological
  llvm::SmallVector<LevelNode *, 2> successors; // inside the level, in the order of the branch
  llvm::SmallVector<LevelNode *, 4> predecessors;

  // The immediate post-dominator. Nodes from which the end cannot be reached are ignored for the others.
  LevelNode *join = nullptr;
  unsigned depth = 0; // in the tree of joins
};

// The nodes strictly between a node and the one where its paths meet again.
struct LevelRegion {
  LevelNode *join = nullptr;
  llvm::SmallVector<LevelNode *> nodes; // topological
  bool closed = true;                   // entered only through the node
  bool never_closed = false; // if not closed: nor is it with any later join, as it is entered from before the join
  bool leaves_level = false; // some lane may leave the level inside
};

class LevelGraph {
public:
  using IsDivergent = llvm::function_ref<bool(const llvm::BasicBlock &)>;

  // `loop` null: the function, whose one return block is the level's exit. `topological`: the function's blocks
  // without the return block, in topological order of the forward edges.
  LevelGraph(llvm::Function &function, llvm::LoopInfo &loops, llvm::Loop *loop, llvm::BasicBlock &return_block,
             llvm::ArrayRef<llvm::BasicBlock *> topological, IsDivergent is_divergent);

  llvm::ArrayRef<std::unique_ptr<LevelNode>> nodes() const { return storage; }
  LevelNode *start() const { return storage.front().get(); }
  LevelNode *end() { return &end_node; }          // the edge back to the header; the last return
  LevelNode *deadEnd() { return &dead_end_node; } // where paths meet that do not reach the end
  bool isEnd(const LevelNode *node) const { return node == &end_node || node == &dead_end_node; }

  // Where the paths from `node` meet: the first closed region whose join is not behind `limit`. If there is none, the
  // region up to `limit`, which is then not closed.
  LevelRegion region(LevelNode *node, LevelNode *limit) const;
  // Where a path from `node` to `join` ends: at `join`, or at the dead end if it cannot reach that.
  LevelNode *stopFor(LevelNode *node, LevelNode *join);
  // Whether the two sides of a branch share no node before the join.
  bool sidesAreDisjoint(LevelNode *node, const LevelRegion &region) const;
  // Whether the region's branches may stay as they are: they are uniform, or divergent within a closed region of their
  // own, and no lane leaves the level.
  bool mayKeepBranches(LevelNode *node, const LevelRegion &region) const;
  // Whether all paths to the join go through the node.
  static bool ownsJoin(LevelNode *node, const LevelRegion &region);

private:
  void addNodes(llvm::ArrayRef<llvm::BasicBlock *> topological, IsDivergent is_divergent);
  void addEdges(llvm::BasicBlock &return_block);
  void computeJoins();
  LevelNode *nodeOf(llvm::BasicBlock *block) const;
  LevelRegion between(LevelNode *node, LevelNode *join) const;

  llvm::LoopInfo &loops;
  llvm::Loop *loop;
  llvm::SmallVector<std::unique_ptr<LevelNode>> storage;
  llvm::DenseMap<llvm::BasicBlock *, LevelNode *> by_entry;
  LevelNode end_node, dead_end_node;
};

} // namespace lanecl::vectorizer
