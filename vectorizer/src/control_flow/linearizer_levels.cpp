// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The part of the linearizer that enters and leaves levels: loops, lanes that leave loops, and lanes that return early.
#include "control_flow/linearizer.h"

#include "analysis/functions/markers.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"

#include <cassert>

using namespace llvm;

namespace lanecl::vectorizer {

static constexpr uint32_t kLikelyTurns = 31; // LLVM's guess for a loop without profile data

// Emits an inner loop as one node of the level around it.
Linearizer::Arrival Linearizer::stepLoop(LevelNode *node, Value *mask, const Flow &flow) {
  BasicBlock *cursor = runLoop(node, mask);
  if (!node->leaves_level)
    return {cursor, mask, node->successors[0]};
  leave(cursor, mask, flow, DebugLoc());
  return {};
}

// Emits the loop, and returns the block where it ends. All lanes that entered the loop are active again there.
BasicBlock *Linearizer::runLoop(LevelNode *node, Value *mask) {
  Level &level = levels[node->loop];
  BasicBlock *header = node->entry;
  if (level.divergent) {
    assert(level.live != nullptr && "link() has made the slot");
    IRBuilder<> builder(header, header->begin());
    mask = builder.CreateLoad(builder.getInt1Ty(), level.live, "live");
  }
  BasicBlock *done = createBlock();
  const Flow inner{&level, done, /*nested=*/false, /*end_may_be_empty=*/false};
  const Arrival end = walk(level.graph->start(), level.graph->end(), mask, inner);
  if (end.cursor)
    IRBuilder<>(end.cursor).CreateBr(header);
  return done;
}

// Handles a branch with one side that leaves the level. If it is divergent, the lanes that leave are removed from the
// mask, and the walk goes on with the others.
Linearizer::Arrival Linearizer::leaveByBranch(LevelNode *node, const Branch &branch, LevelNode *stop, Value *mask,
                                              const Flow &flow) {
  BasicBlock *block = node->entry;
  const auto leaves = [&](BasicBlock *target) {
    const Loop *loop = loops.getLoopFor(block);
    return loop ? !loop->contains(target) : target == &return_block;
  };
  const bool first_leaves = leaves(branch.targets[0]);
  assert(first_leaves != leaves(branch.targets[1]) && node->successors.size() == 1 && "one of the two sides leaves");
  BasicBlock *outside = branch.targets[first_leaves ? 0 : 1];
  BasicBlock *inside = branch.targets[first_leaves ? 1 : 0];
  IRBuilder<> builder(block);
  builder.SetCurrentDebugLocation(branch.location);
  if (!node->divergent) {
    BasicBlock *leaving = createBlock(), *staying = createBlock();
    BranchInst *uniform =
        builder.CreateCondBr(branch.condition, first_leaves ? leaving : staying, first_leaves ? staying : leaving);
    // All lanes are likely to stay, but no more likely than in any other loop. Without these weights, the widener would
    // mark the branch as very likely (Widener::visitBranchInst).
    if (markerOf(*branch.condition) == Marker::Whole && loops.getLoopFor(block) != nullptr)
      uniform->setMetadata(LLVMContext::MD_prof,
                           MDBuilder(builder.getContext())
                               .createBranchWeights(first_leaves ? 1 : kLikelyTurns, first_leaves ? kLikelyTurns : 1));
    builder.SetInsertPoint(leaving);
    writeEdge(builder, block, outside, mask);
    leave(leaving, mask, flow, branch.location);
    builder.SetInsertPoint(staying);
    writeEdge(builder, block, inside, mask);
    return {staying, mask, node->successors[0]};
  }
  assert(flow.level->divergent && flow.level->live != nullptr && "lanes may leave while others stay");
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
  if (node->successors[0] != stop || !flow.end_may_be_empty)
    cursor = guard(block, stayed, flow.no_lane_left, branch.location);
  return {cursor, stayed, node->successors[0]};
}

// Ends the block at which all lanes in `mask` leave the level.
void Linearizer::leave(BasicBlock *cursor, Value *mask, const Flow &flow, const DebugLoc &location) {
  IRBuilder<> builder(cursor);
  builder.SetCurrentDebugLocation(location);
  if (flow.nested) {
    assert(flow.level->live != nullptr && "other lanes of the level may stay");
    Value *live = builder.CreateLoad(builder.getInt1Ty(), flow.level->live);
    builder.CreateStore(builder.CreateAnd(live, builder.CreateNot(mask), "live"), flow.level->live);
  }
  builder.CreateBr(flow.no_lane_left);
}

// Returns `mask` without the lanes that have left the level.
Value *Linearizer::liveMask(IRBuilderBase &builder, Value *mask, const Flow &flow) {
  assert(flow.level->live != nullptr && "lanes may have left the level");
  Value *live = builder.CreateLoad(builder.getInt1Ty(), flow.level->live, "live");
  return flow.nested ? builder.CreateAnd(mask, live, "mask") : live;
}

// Whether lanes that have left the same loops earlier may already have values for the phis of `to`. This edge must not
// overwrite those.
bool Linearizer::leavesDivergently(BasicBlock *from, BasicBlock *to) const {
  assert(levels.find(loops.getLoopFor(from)) != levels.end() && "every loop is a level");
  for (Loop *loop = loops.getLoopFor(from); loop && !loop->contains(to); loop = loop->getParentLoop())
    if (levels.find(loop)->second.divergent)
      return true;
  return to == &return_block && levels.find(nullptr)->second.divergent;
}

} // namespace lanecl::vectorizer
