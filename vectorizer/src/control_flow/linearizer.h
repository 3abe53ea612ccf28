// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The walk that rebuilds a function's control flow for lanes under masks. linearize.h shows an example.
//
// A walk follows the nodes of a level from join to join. A uniform branch is kept, and both of its sides are walked.
// The blocks between a divergent branch and its join are divided into segments, each with one entry. The segments run
// one after the other, each under the mask of the lanes that branch to it. Lanes that leave the level are removed from
// the level's mask of live lanes.
//
// A work-group barrier is an operation like others: the sub-group waits at it once if any of its lanes is active there.
// OpenCL requires that all work-items of a work-group reach a barrier or none does. If the kernel keeps to that rule, a
// condition that only looks divergent gives a mask of all lanes or of none, and all sub-groups meet at the same
// barrier. If the kernel breaks the rule, its results are undefined, but nothing else hangs or faults: inactive lanes
// access no memory, a loop ends when its last lane has left it, and no sub-group waits for one that has returned.
#pragma once

#include "control_flow/lane_slots.h"
#include "control_flow/level_graph.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace lanecl::vectorizer {

class Linearizer {
public:
  Linearizer(llvm::Function &function, llvm::LoopInfo &loops, llvm::BasicBlock &return_block,
             LevelGraph::IsDivergent is_divergent);
  void run();

private:
  // A loop or the function, with what the walk needs to know about it.
  struct Level {
    std::unique_ptr<LevelGraph> graph;
    bool owns_exit = false;           // whether the loop's exit belongs to the level around and to no other loop
    bool divergent = false;           // whether some of its lanes may leave while others stay
    llvm::AllocaInst *live = nullptr; // only if divergent: the slot with the lanes that have not left
  };

  // The context of a walk, apart from its mask.
  struct Flow {
    Level *level;
    llvm::BasicBlock *no_lane_left; // where to go on if no lane is left
    bool nested;                    // whether the mask may have fewer lanes than the level's live lanes
    bool end_may_be_empty;          // whether the end may be reached without lanes, so that it needs no guard
  };

  // The point that a walk has reached: `node`, coming from the open end of block `cursor`, with the lanes in `mask`.
  // With a null cursor, no lane reaches the node.
  struct Arrival {
    llvm::BasicBlock *cursor = nullptr;
    llvm::Value *mask = nullptr;
    LevelNode *node = nullptr;
  };

  // The parts of a block's branch, after the branch was removed from the block.
  struct Branch {
    llvm::Value *condition = nullptr; // null for a branch with one target
    llvm::SmallVector<llvm::BasicBlock *, 2> targets;
    llvm::DebugLoc location;
  };

  // A segment: blocks of a divergent region that have one entry and run under one mask.
  struct Segment {
    LevelNode *entry = nullptr;
    // A segment has either a `stop` or a `tail`.
    LevelNode *stop = nullptr; // where all of its lanes go that do not leave the level
    LevelNode *tail = nullptr; // its last block, if that branches to several other segments
    bool single = true;        // whether it is a single block
  };
  // The segments between a divergent branch and its join.
  struct Region {
    LevelNode *join = nullptr;
    llvm::SmallVector<Segment> segments;
    // The lanes that enter each segment. A segment to which only the region's branch leads has the mask of that edge.
    // Any other has a slot, to which each edge into the segment adds its lanes.
    llvm::DenseMap<LevelNode *, llvm::AllocaInst *> masks;
    llvm::DenseMap<LevelNode *, llvm::Value *> edge_masks;
  };

  void buildLevels(LevelGraph::IsDivergent is_divergent);
  bool losesLanes(LevelGraph &graph) const;
  bool keepsBranch(LevelGraph &graph, LevelNode *node, const LevelRegion &region) const;

  Arrival walk(LevelNode *node, LevelNode *stop, llvm::Value *mask, const Flow &flow);
  Arrival step(LevelNode *node, LevelNode *stop, llvm::Value *mask, const Flow &flow);
  Arrival stepLoop(LevelNode *node, llvm::Value *mask, const Flow &flow);
  Arrival leaveByBranch(LevelNode *node, const Branch &branch, LevelNode *stop, llvm::Value *mask, const Flow &flow);
  Arrival keepDisjointSides(LevelNode *node, const Branch &branch, const LevelRegion &region, llvm::Value *mask,
                            const Flow &flow);
  Arrival keepSharedSides(LevelNode *node, const Branch &branch, const LevelRegion &region, llvm::Value *mask,
                          const Flow &flow);
  Arrival runSegments(LevelNode *node, const Branch &branch, const LevelRegion &region, LevelNode *stop,
                      llvm::Value *mask, const Flow &flow);

  llvm::SmallVector<Segment> segmentsOf(LevelGraph &graph, const LevelRegion &region) const;
  Segment segmentFrom(LevelGraph &graph, LevelNode *entry, LevelNode *join,
                      llvm::SmallPtrSetImpl<LevelNode *> &consumed) const;
  llvm::BasicBlock *runSegment(const Segment &segment, Region &region, llvm::BasicBlock *cursor,
                               const llvm::DebugLoc &location, const Flow &flow);
  llvm::BasicBlock *runUnguarded(const Segment &segment, Region &region, llvm::BasicBlock *cursor);
  void finishSegment(const Segment &segment, Region &region, const Arrival &end, const Flow &flow);
  void branchToSegments(LevelNode *node, const Branch &branch, Region &region, llvm::Value *mask);
  static llvm::Value *wantedMask(llvm::IRBuilderBase &builder, const Segment &segment, const Region &region);
  void wantSegment(llvm::IRBuilderBase &builder, Region &region, LevelNode *target, llvm::Value *mask);

  llvm::BasicBlock *runLoop(LevelNode *node, llvm::Value *mask);
  void leave(llvm::BasicBlock *cursor, llvm::Value *mask, const Flow &flow, const llvm::DebugLoc &location);
  llvm::Value *liveMask(llvm::IRBuilderBase &builder, llvm::Value *mask, const Flow &flow);
  llvm::BasicBlock *guard(llvm::BasicBlock *cursor, llvm::Value *mask, llvm::BasicBlock *no_lane_left,
                          const llvm::DebugLoc &location);

  void enter(llvm::BasicBlock *block, llvm::Value *mask);
  void link(llvm::BasicBlock *cursor, LevelNode *node, llvm::Value *mask);
  Branch takeBranch(llvm::BasicBlock *block);
  void writeEdge(llvm::IRBuilderBase &builder, llvm::BasicBlock *from, llvm::BasicBlock *to, llvm::Value *mask);
  bool leavesDivergently(llvm::BasicBlock *from, llvm::BasicBlock *to) const;
  llvm::BasicBlock *createBlock();

  llvm::Function &function;
  llvm::LoopInfo &loops;
  llvm::BasicBlock &return_block;
  LaneSlots slots;
  llvm::Value *entry_mask = nullptr;
  llvm::MapVector<llvm::Loop *, Level> levels; // the key null stands for the function
  // The mask with which all lanes arrive at a block that only uniform branches lead to. An edge with this mask carries
  // all of these lanes, so it need not blend.
  llvm::DenseMap<llvm::BasicBlock *, llvm::Value *> arriving;
  llvm::SmallPtrSet<llvm::BasicBlock *, 32> single_predecessor;
};

} // namespace lanecl::vectorizer
