// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The walk that rebuilds a function's control flow for lanes under masks.
//
// A walk follows the joins of a level: a uniform branch is kept and both sides are walked; the blocks between a
// divergent branch and its join are divided into segments, each with one entry, which run one after the other, each
// under the mask of the lanes that branch to it. Lanes that leave the level are removed from its mask of live lanes.
//
// A work-group barrier is an operation like others: the sub-group waits at it once when any of its lanes is active
// there. If the kernel keeps to OpenCL's rule that all work-items reach a barrier or none does, a condition that only
// looks divergent gives a mask of all lanes or of none, and the sub-groups of a work-group meet at the same barrier. If
// it does not, inactive lanes access no memory, a loop ends when its last lane has left it, and no sub-group waits for
// one that has returned: the results are undefined, but there are no additional hangs or faults.
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
  struct Level {
    std::unique_ptr<LevelGraph> graph;
    bool owns_exit = false;           // the loop's exit belongs to the level around it and to no other loop
    bool divergent = false;           // some of its lanes may leave while others stay
    llvm::AllocaInst *live = nullptr; // if so: the lanes that have not left
  };

  // The context of a walk, besides its mask.
  struct Flow {
    Level *level;
    llvm::BasicBlock *no_lane_left; // where to go on when no lane is left
    bool nested;                    // the mask may have fewer lanes than the level's live lanes
    bool end_may_be_empty;          // the end of the walk need not be guarded: it may be reached without lanes
  };

  // How a walk reached a node: from the open end of `cursor`, with these lanes. Null cursor: no lane reaches it.
  struct Arrival {
    llvm::BasicBlock *cursor = nullptr;
    llvm::Value *mask = nullptr;
    LevelNode *node = nullptr;
  };

  // A block's branch, which was removed from it.
  struct Branch {
    llvm::Value *condition = nullptr; // null: one target
    llvm::SmallVector<llvm::BasicBlock *, 2> targets;
    llvm::DebugLoc location;
  };

  // The blocks of a divergent region that have one entry and run under one mask.
  struct Segment {
    LevelNode *entry = nullptr;
    LevelNode *stop = nullptr; // where its lanes go unless they leave the level,
    LevelNode *tail = nullptr; // or its last block, whose branch leads to several other segments
    bool single = true;        // a single block
  };
  struct Region {
    LevelNode *join = nullptr;
    llvm::SmallVector<Segment> segments;
    // The lanes that enter a segment: a slot, or the edge's mask where only the region's branch leads there.
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
  llvm::MapVector<llvm::Loop *, Level> levels; // null: the function
  // The mask with which a block is reached by a uniform branch: an edge with this mask carries all lanes that arrive.
  llvm::DenseMap<llvm::BasicBlock *, llvm::Value *> arriving;
  llvm::SmallPtrSet<llvm::BasicBlock *, 32> single_predecessor;
};

} // namespace lanecl::vectorizer
