// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The part of the linearizer that keeps uniform branches as branches.
#include "control_flow/linearizer.h"

#include "llvm/IR/Instructions.h"

#include <cassert>

using namespace llvm;

namespace lanecl::vectorizer {

// Keeps a uniform branch whose two sides have no blocks in common: each side is walked on its own, and they meet in a
// new block.
Linearizer::Arrival Linearizer::keepDisjointSides(LevelNode *node, const Branch &branch, const LevelRegion &region,
                                                  Value *mask, const Flow &flow) {
  assert(!node->divergent && branch.targets.size() == 2 && node->successors.size() == 2 && "a uniform branch");
  BasicBlock *block = node->entry;
  if (region.join->entry && LevelGraph::ownsJoin(node, region))
    arriving[region.join->entry] = mask;
  Flow side_flow = flow;
  side_flow.end_may_be_empty = false;
  SmallVector<BasicBlock *, 2> sides;
  SmallVector<Arrival, 2> arrivals;
  for (unsigned i = 0; i < 2; ++i) {
    LevelNode *first = node->successors[i];
    BasicBlock *side = createBlock();
    sides.push_back(side);
    IRBuilder<> builder(side);
    builder.SetCurrentDebugLocation(branch.location);
    writeEdge(builder, block, branch.targets[i], mask);
    Arrival end{side, mask, first};
    if (first != region.join) {
      link(side, first, mask);
      end = walk(first, flow.level->graph->stopFor(first, region.join), mask, side_flow);
    }
    if (end.cursor)
      arrivals.push_back(end);
  }
  IRBuilder<> builder(block);
  builder.SetCurrentDebugLocation(branch.location);
  builder.CreateCondBr(branch.condition, sides[0], sides[1]);
  if (arrivals.size() < 2)
    return arrivals.empty() ? Arrival() : arrivals[0];
  BasicBlock *join = createBlock();
  for (const Arrival &arrival : arrivals)
    IRBuilder<>(arrival.cursor).CreateBr(join);
  builder.SetInsertPoint(join);
  if (arrivals[0].mask != mask || arrivals[1].mask != mask)
    mask = liveMask(builder, mask, flow);
  return {join, mask, region.join};
}

// Keeps uniform branches whose sides share blocks, such as `a || b`. Divergent branches among them are masked in place.
Linearizer::Arrival Linearizer::keepSharedSides(LevelNode *node, const Branch &branch, const LevelRegion &region,
                                                Value *mask, const Flow &flow) {
  assert(!node->divergent && !region.leaves_level && "the branch is kept, and all lanes come to the join");
  BasicBlock *join = createBlock();
  const auto connect = [&](BasicBlock *cursor, LevelNode *to) {
    if (to == region.join)
      IRBuilder<>(cursor).CreateBr(join);
    else
      link(cursor, to, mask);
  };
  const auto keep = [&](LevelNode *at, const Branch &kept) {
    IRBuilder<> builder(at->entry);
    builder.SetCurrentDebugLocation(kept.location);
    SmallVector<BasicBlock *, 2> sides;
    for (unsigned i = 0; i < kept.targets.size(); ++i) {
      sides.push_back(createBlock());
      IRBuilder<> side(sides.back());
      side.SetCurrentDebugLocation(kept.location);
      writeEdge(side, at->entry, kept.targets[i], mask);
      connect(sides.back(), at->successors[i]);
    }
    if (kept.condition)
      builder.CreateCondBr(kept.condition, sides[0], sides[1]);
    else
      builder.CreateBr(sides[0]);
  };
  for (LevelNode *inside : region.nodes)
    arriving[inside->entry] = mask;
  if (region.join->entry && LevelGraph::ownsJoin(node, region))
    arriving[region.join->entry] = mask;
  keep(node, branch);
  SmallPtrSet<LevelNode *, 16> done;
  for (LevelNode *inside : region.nodes) {
    if (done.contains(inside))
      continue;
    if (inside->divergent) {
      LevelRegion own = flow.level->graph->region(inside, region.join);
      done.insert(own.nodes.begin(), own.nodes.end());
      const Arrival end = step(inside, region.join, mask, flow);
      assert(end.cursor && own.closed && end.mask == mask && "all lanes of the region go on");
      connect(end.cursor, end.node);
    } else if (inside->loop) {
      connect(runLoop(inside, mask), inside->successors[0]);
    } else {
      enter(inside->entry, mask);
      keep(inside, takeBranch(inside->entry));
    }
  }
  return {join, mask, region.join};
}

} // namespace lanecl::vectorizer
