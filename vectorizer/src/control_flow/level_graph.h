// The acyclic view of one nesting level that linearize works on: the blocks of a loop body (or of the function) with
// the inner loops collapsed to single nodes and the edge back to the header removed.
//
// A lane that takes an edge out of the level (a loop's exit, an early return) is inactive for the rest of the level.
// Such edges are not edges of the graph, so that "if (c) break;" does not turn everything behind it into a branch of
// the `if`.
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

  // The immediate post-dominator. Nodes from which the end cannot be reached do not count for the others.
  LevelNode *join = nullptr;
  unsigned depth = 0; // in the tree of joins
};

// The nodes strictly between a node and the one where its paths meet again.
struct LevelRegion {
  LevelNode *join = nullptr;
  llvm::SmallVector<LevelNode *> nodes; // topological
  bool closed = true;                   // entered through the node only
  bool hopeless = false;                // if not: no join further away makes it so, what enters being on no path there
  bool leaves_level = false;            // some lane may leave the level inside
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
  LevelNode *end() { return &end_node; }      // the edge back to the header; the last return
  LevelNode *nowhere() { return &dead_node; } // where paths meet of which none reaches the end
  bool isEnd(const LevelNode *node) const { return node == &end_node || node == &dead_node; }

  // Where the paths from `node` meet: the first closed region whose join does not lie behind `limit`. When even the
  // region up to `limit` can be entered from the side it is not closed.
  LevelRegion region(LevelNode *node, LevelNode *limit) const;
  // Where a path that starts at `node` ends when it has to reach `join`: there, or nowhere.
  LevelNode *stopFor(LevelNode *node, LevelNode *join);
  // Whether the two sides of a branch share no node before the join.
  bool sidesAreDisjoint(LevelNode *node, const LevelRegion &region) const;
  // Whether the region's branches may stay as they are: uniform, or divergent over a region of their own, and no lane
  // leaves the level.
  bool mayKeepBranches(LevelNode *node, const LevelRegion &region) const;
  // Whether the join can be reached through the node only.
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
  LevelNode end_node, dead_node;
};

} // namespace lanecl::vectorizer
