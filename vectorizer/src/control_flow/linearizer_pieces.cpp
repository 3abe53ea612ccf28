// The part of the linearizer that lays the blocks of a divergent region one after the other.
#include "control_flow/linearizer.h"

#include "analysis/markers.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace lanecl::vectorizer {

// Up to this cost running a block for nothing is cheaper than asking whether a lane wants it.
static constexpr unsigned kUnguardedCost = 8;

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

// Whether the block may run for lanes that do not want it: no memory, no traps, no operations between lanes.
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

SmallVector<Linearizer::Piece> Linearizer::cutIntoPieces(LevelGraph &graph, const LevelRegion &region) const {
  SmallVector<Piece> pieces;
  SmallPtrSet<LevelNode *, 32> consumed;
  for (LevelNode *node : region.nodes)
    if (!consumed.contains(node))
      pieces.push_back(cutPiece(graph, node, region.join, consumed));
  return pieces;
}

// Follows the joins as long as nothing enters from outside the piece.
Linearizer::Piece Linearizer::cutPiece(LevelGraph &graph, LevelNode *entry, LevelNode *join,
                                       SmallPtrSetImpl<LevelNode *> &consumed) const {
  Piece piece;
  piece.entry = entry;
  SmallPtrSet<LevelNode *, 16> inside{entry};
  LevelNode *at = entry;
  while (true) {
    const LevelRegion region = graph.region(at, join);
    if (!region.closed) {
      piece.tail = at;
      break;
    }
    inside.insert(region.nodes.begin(), region.nodes.end());
    LevelNode *next = region.join;
    const bool enters = !graph.isEnd(next) && next != join &&
                        all_of(next->predecessors, [&](LevelNode *from) { return inside.contains(from); });
    if (!enters) {
      piece.stop = next;
      break;
    }
    inside.insert(next);
    at = next;
  }
  piece.single = inside.size() == 1;
  consumed.insert(inside.begin(), inside.end());
  return piece;
}

Linearizer::Arrival Linearizer::runPieces(LevelNode *node, const Branch &branch, const LevelRegion &region,
                                          LevelNode *stop, Value *mask, const Flow &flow) {
  LevelGraph &graph = *flow.level->graph;
  Region state;
  state.join = region.join;
  state.pieces = cutIntoPieces(graph, region);
  IRBuilder<> builder(node->entry);
  builder.SetCurrentDebugLocation(branch.location);
  for (const Piece &piece : state.pieces) {
    slots.forget(builder, piece.entry->entry);
    if (piece.entry->predecessors.size() == 1 && piece.entry->predecessors[0] == node) {
      state.edge_masks[piece.entry] = nullptr; // known when the branch is
      continue;
    }
    AllocaInst *wanted = slots.createMask(piece.entry->entry->getName() + ".mask");
    builder.CreateStore(builder.getFalse(), wanted);
    state.masks[piece.entry] = wanted;
  }
  if (region.join->entry && LevelGraph::ownsJoin(node, region))
    slots.forget(builder, region.join->entry);
  branchToPieces(node, branch, state, mask);
  BasicBlock *cursor = node->entry;
  for (const Piece &piece : state.pieces)
    cursor = runPiece(piece, state, cursor, branch.location, flow);
  if (region.join == graph.nowhere()) {
    IRBuilder<>(cursor).CreateBr(flow.none);
    return {};
  }
  if (region.dies) {
    builder.SetInsertPoint(cursor);
    mask = liveMask(builder, mask, flow);
    if (region.join != stop || !flow.none_is_stop)
      cursor = guard(cursor, mask, flow.none, branch.location);
  }
  return {cursor, mask, region.join};
}

// Sends the lanes in `mask` from the node's branch to the pieces they want.
void Linearizer::branchToPieces(LevelNode *node, const Branch &branch, Region &region, Value *mask) {
  IRBuilder<> builder(node->entry);
  builder.SetCurrentDebugLocation(branch.location);
  Value *taken = builder.CreateLogicalAnd(mask, branch.condition, "mask");
  Value *other = builder.CreateAnd(mask, builder.CreateNot(taken), "mask");
  for (unsigned i = 0; i < 2; ++i) {
    Value *edge_mask = i == 0 ? taken : other;
    writeEdge(builder, node->entry, branch.targets[i], edge_mask);
    wantPiece(builder, region, node->successors[i], edge_mask);
  }
}

Value *Linearizer::wantedMask(IRBuilderBase &builder, const Piece &piece, const Region &region) {
  if (Value *edge = region.edge_masks.lookup(piece.entry))
    return edge;
  AllocaInst *wanted = region.masks.lookup(piece.entry);
  return builder.CreateLoad(builder.getInt1Ty(), wanted, wanted->getName());
}

void Linearizer::wantPiece(IRBuilderBase &builder, Region &region, LevelNode *target, Value *mask) {
  if (auto edge = region.edge_masks.find(target); edge != region.edge_masks.end()) {
    edge->second = mask;
    return;
  }
  AllocaInst *wanted = region.masks.lookup(target);
  if (!wanted)
    return; // the join, where all lanes meet
  Value *others = builder.CreateLoad(builder.getInt1Ty(), wanted);
  builder.CreateStore(builder.CreateOr(others, mask, wanted->getName()), wanted);
}

BasicBlock *Linearizer::runPiece(const Piece &piece, Region &region, BasicBlock *cursor, const DebugLoc &location,
                                 const Flow &flow) {
  BasicBlock *entry = piece.entry->entry;
  if (piece.single && !piece.tail && !piece.entry->dies && isCheapAndSafe(*entry, slots))
    return runUnguarded(piece, region, cursor);
  IRBuilder<> builder(cursor);
  builder.SetCurrentDebugLocation(location);
  Value *mask = wantedMask(builder, piece, region);
  BasicBlock *next = createBlock();
  builder.CreateCondBr(createAny(builder, mask), entry, next);
  const Flow inner{flow.level, next, /*nested=*/true, /*none_is_stop=*/piece.tail == nullptr};
  Arrival end{nullptr, mask, piece.entry};
  if (piece.entry != piece.tail)
    end = walk(piece.entry, piece.tail ? piece.tail : piece.stop, mask, inner);
  finishPiece(piece, region, end, inner);
  return next;
}

// Hands the lanes that have run the piece on to where they want to go.
void Linearizer::finishPiece(const Piece &piece, Region &region, const Arrival &end, const Flow &flow) {
  if (piece.tail) {
    if (piece.entry != piece.tail) {
      if (!end.cursor)
        return;
      link(end.cursor, piece.tail, end.mask);
    }
    enter(piece.tail->entry, end.mask);
    const Branch branch = takeBranch(piece.tail->entry);
    branchToPieces(piece.tail, branch, region, end.mask);
    IRBuilder<>(piece.tail->entry).CreateBr(flow.none);
  } else if (end.cursor) {
    IRBuilder<> builder(end.cursor);
    wantPiece(builder, region, piece.stop, end.mask);
    builder.CreateBr(flow.none);
  }
}

BasicBlock *Linearizer::runUnguarded(const Piece &piece, Region &region, BasicBlock *cursor) {
  BasicBlock *block = piece.entry->entry;
  IRBuilder<>(cursor).CreateBr(block);
  const Branch branch = takeBranch(block);
  IRBuilder<> builder(block);
  builder.SetCurrentDebugLocation(branch.location);
  Value *mask = wantedMask(builder, piece, region);
  writeEdge(builder, block, branch.targets[0], mask);
  wantPiece(builder, region, piece.stop, mask);
  return block;
}

} // namespace lanecl::vectorizer
