#include "control_flow/linearizer.h"

#include "analysis/markers.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace lanecl::vectorizer {

// The function's blocks but the return, so that each edge but those back to a loop's header leads forward. The first
// target of a branch comes before the second where both orders are right: then before else.
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

bool Linearizer::keepsBranch(LevelGraph &graph, LevelNode *node, const LevelRegion &region) const {
  return !node->divergent && (graph.sidesAreDisjoint(node, region) || graph.mayKeepBranches(node, region));
}

// Whether some lanes may leave the level while others stay: at a divergent branch, or anywhere under one.
bool Linearizer::losesLanes(LevelGraph &graph) const {
  if (none_of(graph.nodes(), [](const auto &node) { return node->dies; }))
    return false;
  SmallPtrSet<LevelNode *, 32> nested;
  for (const auto &node : graph.nodes()) {
    if (node->dies && (node->divergent || nested.contains(node.get())))
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
  Level &level = levels[nullptr];
  if (level.divergent) {
    level.live = slots.createMask("live");
    builder.CreateStore(entry_mask, level.live);
  }
  const Flow flow{&level, &return_block, /*nested=*/false, /*none_is_stop=*/true};
  const Arrival end = walk(level.graph->start(), level.graph->end(), entry_mask, flow);
  if (end.cursor)
    IRBuilder<>(end.cursor).CreateBr(&return_block);
  removeUnreachableBlocks(function);
  slots.promote();
}

// Follows the joins from `node`, whose block has been linked, to `stop`.
Linearizer::Arrival Linearizer::walk(LevelNode *node, LevelNode *stop, Value *mask, const Flow &flow) {
  while (true) {
    const Arrival at = step(node, stop, mask, flow);
    if (!at.cursor || at.node == stop)
      return at;
    link(at.cursor, at.node, at.mask);
    node = at.node;
    mask = at.mask;
  }
}

Linearizer::Arrival Linearizer::step(LevelNode *node, LevelNode *stop, Value *mask, const Flow &flow) {
  if (node->loop)
    return stepLoop(node, mask, flow);
  BasicBlock *block = node->entry;
  enter(block, mask);
  const Branch branch = takeBranch(block);
  IRBuilder<> builder(block);
  builder.SetCurrentDebugLocation(branch.location);
  if (!branch.condition) {
    writeEdge(builder, block, branch.targets[0], mask);
    if (!node->dies)
      return {block, mask, node->successors[0]};
    leave(block, mask, flow, branch.location);
    return {};
  }
  if (node->dies)
    return leaveByBranch(node, branch, stop, mask, flow);
  LevelGraph &graph = *flow.level->graph;
  const LevelRegion region = graph.region(node, stop);
  if (!node->divergent && graph.sidesAreDisjoint(node, region))
    return keepSides(node, branch, region, mask, flow);
  if (!node->divergent && graph.mayKeepBranches(node, region))
    return keepTangle(node, branch, region, mask, flow);
  return runPieces(node, branch, region, stop, mask, flow);
}

Linearizer::Arrival Linearizer::stepLoop(LevelNode *node, Value *mask, const Flow &flow) {
  BasicBlock *cursor = runLoop(node, mask);
  if (!node->dies)
    return {cursor, mask, node->successors[0]};
  leave(cursor, mask, flow, DebugLoc());
  return {};
}

// A branch of which one side leaves the level: the lanes that take it are struck from the mask.
Linearizer::Arrival Linearizer::leaveByBranch(LevelNode *node, const Branch &branch, LevelNode *stop, Value *mask,
                                              const Flow &flow) {
  BasicBlock *block = node->entry;
  const auto leaves = [&](BasicBlock *target) {
    const Loop *loop = loops.getLoopFor(block);
    return loop ? !loop->contains(target) : target == &return_block;
  };
  const bool first_leaves = leaves(branch.targets[0]);
  BasicBlock *outside = branch.targets[first_leaves ? 0 : 1];
  BasicBlock *inside = branch.targets[first_leaves ? 1 : 0];
  IRBuilder<> builder(block);
  builder.SetCurrentDebugLocation(branch.location);
  if (!node->divergent) {
    BasicBlock *leaving = createBlock(), *staying = createBlock();
    builder.CreateCondBr(branch.condition, first_leaves ? leaving : staying, first_leaves ? staying : leaving);
    builder.SetInsertPoint(leaving);
    writeEdge(builder, block, outside, mask);
    leave(leaving, mask, flow, branch.location);
    builder.SetInsertPoint(staying);
    writeEdge(builder, block, inside, mask);
    return {staying, mask, node->successors[0]};
  }
  Value *taken = builder.CreateLogicalAnd(mask, branch.condition, "mask");
  Value *other = builder.CreateAnd(mask, builder.CreateNot(taken), "mask");
  Value *left = first_leaves ? taken : other, *stayed = first_leaves ? other : taken;
  writeEdge(builder, block, outside, left);
  Value *live = stayed;
  if (flow.nested)
    live =
        builder.CreateAnd(builder.CreateLoad(builder.getInt1Ty(), flow.level->live), builder.CreateNot(left), "live");
  builder.CreateStore(live, flow.level->live);
  writeEdge(builder, block, inside, stayed);
  BasicBlock *cursor = block;
  if (node->successors[0] != stop || !flow.none_is_stop)
    cursor = guard(block, stayed, flow.none, branch.location);
  return {cursor, stayed, node->successors[0]};
}

// A uniform branch between two parts that have nothing in common stays a branch.
Linearizer::Arrival Linearizer::keepSides(LevelNode *node, const Branch &branch, const LevelRegion &region, Value *mask,
                                          const Flow &flow) {
  BasicBlock *block = node->entry;
  if (region.join->entry && LevelGraph::ownsJoin(node, region))
    arriving[region.join->entry] = mask;
  Flow side_flow = flow;
  side_flow.none_is_stop = false;
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

// Uniform branches with parts in common, such as `a || b`, stay as they are; divergent ones among them are masked
// where they stand.
Linearizer::Arrival Linearizer::keepTangle(LevelNode *node, const Branch &branch, const LevelRegion &region,
                                           Value *mask, const Flow &flow) {
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

// Runs the loop in place; its lanes are together again at the returned open end.
BasicBlock *Linearizer::runLoop(LevelNode *node, Value *mask) {
  Level &level = levels[node->loop];
  BasicBlock *header = node->entry;
  if (level.divergent) {
    IRBuilder<> builder(header, header->begin());
    mask = builder.CreateLoad(builder.getInt1Ty(), level.live, "live");
  }
  BasicBlock *done = createBlock();
  const Flow inner{&level, done, /*nested=*/false, /*none_is_stop=*/false};
  const Arrival end = walk(level.graph->start(), level.graph->end(), mask, inner);
  if (end.cursor)
    IRBuilder<>(end.cursor).CreateBr(header);
  return done;
}

// All lanes in `mask` leave the level.
void Linearizer::leave(BasicBlock *cursor, Value *mask, const Flow &flow, const DebugLoc &location) {
  IRBuilder<> builder(cursor);
  builder.SetCurrentDebugLocation(location);
  if (flow.nested) {
    Value *live = builder.CreateLoad(builder.getInt1Ty(), flow.level->live);
    builder.CreateStore(builder.CreateAnd(live, builder.CreateNot(mask), "live"), flow.level->live);
  }
  builder.CreateBr(flow.none);
}

// What remains of `mask` after lanes may have left the level.
Value *Linearizer::liveMask(IRBuilderBase &builder, Value *mask, const Flow &flow) {
  Value *live = builder.CreateLoad(builder.getInt1Ty(), flow.level->live, "live");
  return flow.nested ? builder.CreateAnd(mask, live, "mask") : live;
}

// Goes on, in the returned block, only if a lane is left.
BasicBlock *Linearizer::guard(BasicBlock *cursor, Value *mask, BasicBlock *none, const DebugLoc &location) {
  BasicBlock *some = createBlock();
  IRBuilder<> builder(cursor);
  builder.SetCurrentDebugLocation(location);
  builder.CreateCondBr(createAny(builder, mask), some, none);
  return some;
}

void Linearizer::enter(BasicBlock *block, Value *mask) {
  if (mask == entry_mask)
    return;
  // The reads of slots that stand before it will be phis.
  auto *here = dyn_cast<Instruction>(mask);
  const bool own = here && here->getParent() == block;
  IRBuilder<> builder(block, own ? std::next(here->getIterator()) : block->getFirstNonPHIOrDbgOrAlloca());
  builder.SetCurrentDebugLocation(DebugLoc());
  createBlockMask(builder, mask);
}

// Connects the open end to the node; the edge's values have been written.
void Linearizer::link(BasicBlock *cursor, LevelNode *node, Value *mask) {
  IRBuilder<> builder(cursor);
  if (node->loop) {
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

// Whether other lanes than those on the edge may use the same values of `to`: lanes that left the same loops earlier.
bool Linearizer::leavesDivergently(BasicBlock *from, BasicBlock *to) const {
  for (Loop *loop = loops.getLoopFor(from); loop && !loop->contains(to); loop = loop->getParentLoop())
    if (levels.find(loop)->second.divergent)
      return true;
  return to == &return_block && levels.find(nullptr)->second.divergent;
}

void Linearizer::writeEdge(IRBuilderBase &builder, BasicBlock *from, BasicBlock *to, Value *mask) {
  const Loop *loop = loops.getLoopFor(from);
  const bool leaves = to == &return_block || (loop && !loop->contains(to));
  const Loop *target_loop = loops.getLoopFor(to);
  const bool to_header = target_loop && target_loop->getHeader() == to;
  const bool all_lanes = leaves ? !leavesDivergently(from, to)
                                : to_header || single_predecessor.contains(to) || arriving.lookup(to) == mask;
  slots.writeEdge(builder, from, to, all_lanes ? nullptr : mask);
}

// Without a name: merged with a block of the kernel's, it takes that one's.
BasicBlock *Linearizer::createBlock() {
  return BasicBlock::Create(function.getContext(), "", &function);
}

} // namespace lanecl::vectorizer
