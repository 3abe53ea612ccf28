// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The acyclic view of one nesting level that linearize works on. A level is a loop's body or the whole function, with
// inner loops collapsed to single nodes and without the edge back to the header.
//
// A lane that takes an edge out of the level (a loop exit, an early return) is inactive for the rest of the level. Such
// edges are not part of the graph, so the code after "if (c) break;" does not count as a branch of the `if`.
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

// A block of the level, or an inner loop as a whole.
struct LevelNode {
  llvm::BasicBlock *entry = nullptr;            // null: one of the two ends of the graph
  llvm::Loop *loop = nullptr;                   // for an inner loop; `entry` is its header
  bool leaves_level = false;                    // whether an edge of it leaves the level
  bool divergent = false;                       // whether its branch is divergent
  unsigned index = 0;                           // in topological order
  llvm::SmallVector<LevelNode *, 2> successors; // those inside the level, in the order of the branch
  llvm::SmallVector<LevelNode *, 4> predecessors;

  // The immediate post-dominator, where the node's paths meet again. It ignores successors that cannot reach the end,
  // unless none can.
  LevelNode *join = nullptr;
  unsigned depth = 0; // in the tree of joins
};

// A region: the nodes strictly between a node and a later one at which its paths meet again.
struct LevelRegion {
  LevelNode *join = nullptr;
  llvm::SmallVector<LevelNode *> nodes; // in topological order
  bool closed = true;                   // whether it is entered only through the node
  // Set if the region is not closed and is not closed with any later join either, because a node before the join enters
  // it.
  bool never_closed = false;
  bool leaves_level = false; // whether some lane may leave the level inside
};

class LevelGraph {
public:
  using IsDivergent = llvm::function_ref<bool(const llvm::BasicBlock &)>;

  // Builds the graph of `loop`. If that is null, the level is the function, and its one return block is the exit of the
  // level. `topological` lists the function's blocks without the return block, in topological order of the forward
  // edges.
  LevelGraph(llvm::Function &function, llvm::LoopInfo &loops, llvm::Loop *loop, llvm::BasicBlock &return_block,
             llvm::ArrayRef<llvm::BasicBlock *> topological, IsDivergent is_divergent);

  llvm::ArrayRef<std::unique_ptr<LevelNode>> nodes() const { return storage; }
  LevelNode *start() const { return storage.front().get(); }
  LevelNode *end() { return &end_node; }          // the edge back to the header, or the last return
  LevelNode *deadEnd() { return &dead_end_node; } // where paths meet that do not reach the end
  bool isEnd(const LevelNode *node) const { return node == &end_node || node == &dead_end_node; }

  // Returns the first closed region of `node` whose join is not past `limit`. If there is none, returns the region up
  // to `limit`, which is then not closed.
  LevelRegion region(LevelNode *node, LevelNode *limit) const;
  // Returns where a path from `node` to `join` ends: at `join`, or at the dead end if it cannot reach `join`.
  LevelNode *stopFor(LevelNode *node, LevelNode *join);
  // Whether the two sides of a branch share no node before the join.
  bool sidesAreDisjoint(LevelNode *node, const LevelRegion &region) const;
  // Whether all branches of the region may stay as they are: each is uniform, or is divergent within a closed region of
  // its own, and no lane leaves the level.
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
