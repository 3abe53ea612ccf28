// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "control_flow/linearizer.h"

#include "analysis/functions/markers.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Local.h"

#include <cassert>

using namespace llvm;

namespace lanecl::vectorizer {

// Returns the function's blocks except the return, ordered so that every edge leads forward, apart from edges back to a
// loop's header. Where several orders are possible, the first target of a branch comes before the second: `then` comes
// before `else`.
static SmallVector<BasicBlock *> topologicalOrder(Function &function, BasicBlock &return_block) {
  SmallVector<BasicBlock *> order;
  SmallPtrSet<BasicBlock *, 32> seen{&function.getEntryBlock(), &return_block};
  SmallVector<std::pair<BasicBlock *, unsigned>> path{{&function.getEntryBlock(), 0}};
  while (!path.empty()) {
    auto &[block, visited] = path.back();
    const Instruction *terminator = block->getTerminator();
    if (visited == terminator->getNumSuccessors()) {
      order.push_back(block);
      path.pop_back();
      continue;
    }
    BasicBlock *next = terminator->getSuccessor(terminator->getNumSuccessors() - ++visited);
    if (seen.insert(next).second)
      path.emplace_back(next, 0);
  }
  std::reverse(order.begin(), order.end());
  return order;
}

Linearizer::Linearizer(Function &function, LoopInfo &loops, BasicBlock &return_block,
                       LevelGraph::IsDivergent is_divergent)
    : function(function), loops(loops), return_block(return_block), slots(function, loops) {
  for (BasicBlock &block : function)
    if (block.getUniquePredecessor())
      single_predecessor.insert(&block);
  buildLevels(is_divergent);
}

void Linearizer::buildLevels(LevelGraph::IsDivergent is_divergent) {
  const SmallVector<BasicBlock *> order = topologicalOrder(function, return_block);
  SmallVector<Loop *> all = loops.getLoopsInPreorder();
  all.insert(all.begin(), nullptr);
  for (Loop *loop : all) {
    Level &level = levels[loop];
    level.graph = std::make_unique<LevelGraph>(function, loops, loop, return_block, order, is_divergent);
    level.divergent = losesLanes(*level.graph);
    if (!loop)
      continue;
    BasicBlock *exit = loop->getUniqueExitBlock();
    level.owns_exit = loops.getLoopFor(exit) == loop->getParentLoop() &&
                      all_of(predecessors(exit), [&](BasicBlock *from) { return loop->contains(from); });
  }
}

// Whether a branch stays a branch: it is uniform, and its region can be rebuilt around it.
bool Linearizer::keepsBranch(LevelGraph &graph, LevelNode *node, const LevelRegion &region) const {
  return !node->divergent && (graph.sidesAreDisjoint(node, region) || graph.mayKeepBranches(node, region));
}

// Whether some lanes may leave the level while others stay: at a divergent branch, or in a block that a divergent
// branch controls.
bool Linearizer::losesLanes(LevelGraph &graph) const {
  if (none_of(graph.nodes(), [](const auto &node) { return node->leaves_level; }))
    return false;
  SmallPtrSet<LevelNode *, 32> nested;
  for (const auto &node : graph.nodes()) {
    if (node->leaves_level && (node->divergent || nested.contains(node.get())))
      return true;
    if (node->successors.size() < 2 || nested.contains(node.get()))
      continue;
    const LevelRegion region = graph.region(node.get(), graph.end());
    if (!keepsBranch(graph, node.get(), region))
      nested.insert(region.nodes.begin(), region.nodes.end());
  }
  return false;
}

void Linearizer::run() {
  slots.demotePhis();
  BasicBlock &entry = function.getEntryBlock();
  IRBuilder<> builder(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
  builder.SetCurrentDebugLocation(DebugLoc());
  entry_mask = createEntryMask(builder);
  assert(levels.find(nullptr) != levels.end() && levels.front().first == nullptr && "the function is the first level");
  Level &level = levels[nullptr];
  if (level.divergent) {
    level.live = slots.createMask("live");
    builder.CreateStore(entry_mask, level.live);
  }
  const Flow flow{&level, &return_block, /*nested=*/false, /*end_may_be_empty=*/true};
  const Arrival end = walk(level.graph->start(), level.graph->end(), entry_mask, flow);
  if (end.cursor)
    IRBuilder<>(end.cursor).CreateBr(&return_block);
  removeUnreachableBlocks(function);
  slots.promote();
}

// Walks from `node`, whose block has been linked, to `stop`, from join to join.
Linearizer::Arrival Linearizer::walk(LevelNode *node, LevelNode *stop, Value *mask, const Flow &flow) {
  while (true) {
    const Arrival at = step(node, stop, mask, flow);
    assert((!at.cursor || (at.mask && at.node && !at.cursor->getTerminator())) &&
           "an open block, its lanes and their way");
    if (!at.cursor || at.node == stop)
      return at;
    link(at.cursor, at.node, at.mask);
    node = at.node;
    mask = at.mask;
  }
}

// Emits one node and the region after it. Returns where all of its lanes have arrived.
Linearizer::Arrival Linearizer::step(LevelNode *node, LevelNode *stop, Value *mask, const Flow &flow) {
  if (node->loop)
    return stepLoop(node, mask, flow);
  BasicBlock *block = node->entry;
  enter(block, mask);
  const Branch branch = takeBranch(block);
  IRBuilder<> builder(block);
  builder.SetCurrentDebugLocation(branch.location);
  if (!branch.condition) {
    assert(node->successors.size() == (node->leaves_level ? 0 : 1) && "the branch has one target");
    writeEdge(builder, block, branch.targets[0], mask);
    if (!node->leaves_level)
      return {block, mask, node->successors[0]};
    leave(block, mask, flow, branch.location);
    return {};
  }
  if (node->leaves_level)
    return leaveByBranch(node, branch, stop, mask, flow);
  assert(node->successors.size() == 2 && "both targets are in the level");
  LevelGraph &graph = *flow.level->graph;
  const LevelRegion region = graph.region(node, stop);
  if (!node->divergent && graph.sidesAreDisjoint(node, region))
    return keepDisjointSides(node, branch, region, mask, flow);
  if (!node->divergent && graph.mayKeepBranches(node, region))
    return keepSharedSides(node, branch, region, mask, flow);
  return runSegments(node, branch, region, stop, mask, flow);
}

// Branches to the returned new block if a lane is active in `mask`, else to `no_lane_left`.
BasicBlock *Linearizer::guard(BasicBlock *cursor, Value *mask, BasicBlock *no_lane_left, const DebugLoc &location) {
  BasicBlock *some = createBlock();
  IRBuilder<> builder(cursor);
  builder.SetCurrentDebugLocation(location);
  builder.CreateCondBr(createAny(builder, mask), some, no_lane_left);
  return some;
}

// Marks the block with the mask under which it runs.
void Linearizer::enter(BasicBlock *block, Value *mask) {
  if (mask == entry_mask)
    return;
  // The marker has to come after its mask, and after the loads of slots, which become phis.
  auto *here = dyn_cast<Instruction>(mask);
  const bool own = here && here->getParent() == block;
  IRBuilder<> builder(block, own ? std::next(here->getIterator()) : block->getFirstNonPHIOrDbgOrAlloca());
  builder.SetCurrentDebugLocation(DebugLoc());
  createBlockMask(builder, mask);
}

// Makes the open end `cursor` branch to the node, whose phis have been written for that edge. For a loop, the masks and
// slots that it needs are initialized.
void Linearizer::link(BasicBlock *cursor, LevelNode *node, Value *mask) {
  assert(node->entry != nullptr && !cursor->getTerminator() && "an open block, and one to go on with");
  IRBuilder<> builder(cursor);
  if (node->loop) {
    assert(levels.find(node->loop) != levels.end() && "every loop is a level");
    Level &level = levels[node->loop];
    if (level.divergent) {
      level.live = slots.createMask("live");
      builder.CreateStore(mask, level.live);
    }
    if (level.owns_exit)
      slots.forget(builder, node->loop->getUniqueExitBlock());
  }
  builder.CreateBr(node->entry);
}

// Removes the block's branch and returns its parts.
Linearizer::Branch Linearizer::takeBranch(BasicBlock *block) {
  auto *branch = cast<BranchInst>(block->getTerminator());
  Branch taken;
  taken.location = branch->getDebugLoc();
  for (unsigned i = 0; i < branch->getNumSuccessors(); ++i)
    taken.targets.push_back(branch->getSuccessor(i));
  if (branch->isConditional())
    taken.condition = branch->getCondition();
  branch->eraseFromParent();
  return taken;
}

// Writes the phis of `to`. It blends, unless all lanes that ever arrive at `to` take this edge with the same mask.
void Linearizer::writeEdge(IRBuilderBase &builder, BasicBlock *from, BasicBlock *to, Value *mask) {
  const Loop *loop = loops.getLoopFor(from);
  const bool leaves = to == &return_block || (loop && !loop->contains(to));
  const Loop *target_loop = loops.getLoopFor(to);
  const bool to_header = target_loop && target_loop->getHeader() == to;
  const bool all_lanes = leaves ? !leavesDivergently(from, to)
                                : to_header || single_predecessor.contains(to) || arriving.lookup(to) == mask;
  slots.writeEdge(builder, from, to, all_lanes ? nullptr : mask);
}

// Creates a block without a name, so that merging it with a block of the kernel keeps that block's name.
BasicBlock *Linearizer::createBlock() {
  return BasicBlock::Create(function.getContext(), "", &function);
}

} // namespace lanecl::vectorizer
