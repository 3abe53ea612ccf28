// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The part of the linearizer that lays out the blocks of a divergent region one after the other, each under its mask.
#include "control_flow/linearizer.h"

#include "analysis/functions/markers.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"

#include <cassert>

using namespace llvm;

namespace lanecl::vectorizer {

// Up to this cost, running a block without an active lane is cheaper than testing whether there is one.
static constexpr unsigned kUnguardedCost = 8;

// Returns a rough number of machine instructions.
static unsigned costOf(const Instruction &instruction) {
  if (isa<CastInst, FreezeInst, GetElementPtrInst>(instruction))
    return instruction.getType()->isIntOrIntVectorTy() ? 1 : 0;
  if (isa<CallBase>(instruction))
    return 3;
  const unsigned opcode = instruction.getOpcode();
  return opcode == Instruction::FDiv || opcode == Instruction::FRem || opcode == Instruction::UDiv ||
                 opcode == Instruction::SDiv || opcode == Instruction::URem || opcode == Instruction::SRem
             ? 4
             : 1;
}

// Whether the block may run without an active lane: it accesses no memory, cannot trap, has no operations between
// lanes, and is cheap.
static bool isCheapAndSafe(const BasicBlock &block, const LaneSlots &slots) {
  unsigned cost = 0;
  for (const Instruction &instruction : block) {
    if (instruction.isTerminator() || slots.isSlotAccess(instruction))
      continue;
    const auto *call = dyn_cast<CallBase>(&instruction);
    if (instruction.mayReadOrWriteMemory() || (call && call->isConvergent()) ||
        !isSafeToSpeculativelyExecute(&instruction))
      return false;
    cost += costOf(instruction);
  }
  return cost <= kUnguardedCost;
}

// Divides the region into segments, in topological order.
SmallVector<Linearizer::Segment> Linearizer::segmentsOf(LevelGraph &graph, const LevelRegion &region) const {
  SmallVector<Segment> segments;
  SmallPtrSet<LevelNode *, 32> consumed;
  for (LevelNode *node : region.nodes)
    if (!consumed.contains(node))
      segments.push_back(segmentFrom(graph, node, region.join, consumed));
  return segments;
}

// Returns the segment that starts at `entry`. It is extended from join to join as long as no edge from outside enters.
Linearizer::Segment Linearizer::segmentFrom(LevelGraph &graph, LevelNode *entry, LevelNode *join,
                                            SmallPtrSetImpl<LevelNode *> &consumed) const {
  Segment segment;
  segment.entry = entry;
  SmallPtrSet<LevelNode *, 16> inside{entry};
  LevelNode *at = entry;
  while (true) {
    const LevelRegion region = graph.region(at, join);
    if (!region.closed) {
      segment.tail = at;
      break;
    }
    inside.insert(region.nodes.begin(), region.nodes.end());
    LevelNode *next = region.join;
    const bool enters = !graph.isEnd(next) && next != join &&
                        all_of(next->predecessors, [&](LevelNode *from) { return inside.contains(from); });
    if (!enters) {
      segment.stop = next;
      break;
    }
    inside.insert(next);
    at = next;
  }
  assert((segment.stop == nullptr) != (segment.tail == nullptr) && "a segment has either a stop or a tail");
  segment.single = inside.size() == 1;
  consumed.insert(inside.begin(), inside.end());
  return segment;
}

// Emits the region after a divergent branch.
Linearizer::Arrival Linearizer::runSegments(LevelNode *node, const Branch &branch, const LevelRegion &region,
                                            LevelNode *stop, Value *mask, const Flow &flow) {
  assert(branch.targets.size() == 2 && node->successors.size() == 2 && !node->leaves_level &&
         "two ways within the level");
  LevelGraph &graph = *flow.level->graph;
  Region state;
  state.join = region.join;
  state.segments = segmentsOf(graph, region);
  IRBuilder<> builder(node->entry);
  builder.SetCurrentDebugLocation(branch.location);
  for (const Segment &segment : state.segments) {
    slots.forget(builder, segment.entry->entry);
    if (segment.entry->predecessors.size() == 1 && segment.entry->predecessors[0] == node) {
      state.edge_masks[segment.entry] = nullptr; // set in branchToSegments()
      continue;
    }
    AllocaInst *wanted = slots.createMask(segment.entry->entry->getName() + ".mask");
    builder.CreateStore(builder.getFalse(), wanted);
    state.masks[segment.entry] = wanted;
  }
  if (region.join->entry && LevelGraph::ownsJoin(node, region))
    slots.forget(builder, region.join->entry);
  branchToSegments(node, branch, state, mask);
  BasicBlock *cursor = node->entry;
  for (const Segment &segment : state.segments)
    cursor = runSegment(segment, state, cursor, branch.location, flow);
  if (region.join == graph.deadEnd()) {
    IRBuilder<>(cursor).CreateBr(flow.no_lane_left);
    return {};
  }
  if (region.leaves_level) {
    builder.SetInsertPoint(cursor);
    mask = liveMask(builder, mask, flow);
    if (region.join != stop || !flow.end_may_be_empty)
      cursor = guard(cursor, mask, flow.no_lane_left, branch.location);
  }
  return {cursor, mask, region.join};
}

// Sends lanes on at the end of a block: adds the lanes in `mask` to the masks of the two segments to which the node's
// branch leads.
void Linearizer::branchToSegments(LevelNode *node, const Branch &branch, Region &region, Value *mask) {
  assert(branch.condition != nullptr && node->successors.size() == 2 && "lanes go two ways");
  IRBuilder<> builder(node->entry);
  builder.SetCurrentDebugLocation(branch.location);
  Value *taken = builder.CreateLogicalAnd(mask, branch.condition, "mask");
  Value *other = builder.CreateAnd(mask, builder.CreateNot(taken), "mask");
  for (unsigned i = 0; i < 2; ++i) {
    Value *edge_mask = i == 0 ? taken : other;
    writeEdge(builder, node->entry, branch.targets[i], edge_mask);
    wantSegment(builder, region, node->successors[i], edge_mask);
  }
}

// Returns the mask of the lanes that branch to the segment.
Value *Linearizer::wantedMask(IRBuilderBase &builder, const Segment &segment, const Region &region) {
  if (Value *edge = region.edge_masks.lookup(segment.entry))
    return edge;
  AllocaInst *wanted = region.masks.lookup(segment.entry);
  assert(wanted != nullptr && "the lanes that enter a segment come by one edge, or are collected in a slot");
  return builder.CreateLoad(builder.getInt1Ty(), wanted, wanted->getName());
}

// Adds the lanes in `mask` to those that branch to the segment at `target`.
void Linearizer::wantSegment(IRBuilderBase &builder, Region &region, LevelNode *target, Value *mask) {
  if (auto edge = region.edge_masks.find(target); edge != region.edge_masks.end()) {
    edge->second = mask;
    return;
  }
  AllocaInst *wanted = region.masks.lookup(target);
  assert((wanted || target == region.join || target->entry == nullptr) && "a segment has a mask");
  if (!wanted)
    return; // the target is the join, where all lanes meet again
  Value *others = builder.CreateLoad(builder.getInt1Ty(), wanted);
  builder.CreateStore(builder.CreateOr(others, mask, wanted->getName()), wanted);
}

// Emits a segment after `cursor`, guarded by a test whether any lane branches to it. Returns the block after it.
BasicBlock *Linearizer::runSegment(const Segment &segment, Region &region, BasicBlock *cursor, const DebugLoc &location,
                                   const Flow &flow) {
  BasicBlock *entry = segment.entry->entry;
  if (segment.single && !segment.tail && !segment.entry->leaves_level && isCheapAndSafe(*entry, slots))
    return runUnguarded(segment, region, cursor);
  IRBuilder<> builder(cursor);
  builder.SetCurrentDebugLocation(location);
  Value *mask = wantedMask(builder, segment, region);
  BasicBlock *next = createBlock();
  builder.CreateCondBr(createAny(builder, mask), entry, next);
  const Flow inner{flow.level, next, /*nested=*/true, /*end_may_be_empty=*/segment.tail == nullptr};
  Arrival end{nullptr, mask, segment.entry};
  if (segment.entry != segment.tail)
    end = walk(segment.entry, segment.tail ? segment.tail : segment.stop, mask, inner);
  finishSegment(segment, region, end, inner);
  return next;
}

// Adds the lanes that have run the segment to the masks of their next segments.
void Linearizer::finishSegment(const Segment &segment, Region &region, const Arrival &end, const Flow &flow) {
  if (segment.tail) {
    if (segment.entry != segment.tail) {
      if (!end.cursor)
        return;
      link(end.cursor, segment.tail, end.mask);
    }
    enter(segment.tail->entry, end.mask);
    const Branch branch = takeBranch(segment.tail->entry);
    branchToSegments(segment.tail, branch, region, end.mask);
    IRBuilder<>(segment.tail->entry).CreateBr(flow.no_lane_left);
  } else if (end.cursor) {
    IRBuilder<> builder(end.cursor);
    wantSegment(builder, region, segment.stop, end.mask);
    builder.CreateBr(flow.no_lane_left);
  }
}

// Emits a cheap segment without a test.
BasicBlock *Linearizer::runUnguarded(const Segment &segment, Region &region, BasicBlock *cursor) {
  BasicBlock *block = segment.entry->entry;
  IRBuilder<>(cursor).CreateBr(block);
  const Branch branch = takeBranch(block);
  assert(branch.targets.size() == 1 && segment.stop != nullptr && "a single block has one way on");
  IRBuilder<> builder(block);
  builder.SetCurrentDebugLocation(branch.location);
  Value *mask = wantedMask(builder, segment, region);
  writeEdge(builder, block, branch.targets[0], mask);
  wantSegment(builder, region, segment.stop, mask);
  return block;
}

} // namespace lanecl::vectorizer
