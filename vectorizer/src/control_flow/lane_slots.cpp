// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "control_flow/lane_slots.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

#include <cassert>

using namespace llvm;

namespace lanecl::vectorizer {

LaneSlots::LaneSlots(Function &function, LoopInfo &loops) : function(function), loops(loops) {}

AllocaInst *LaneSlots::createSlot(Type *type, const Twine &name) {
  BasicBlock &entry = function.getEntryBlock();
  auto *slot = new AllocaInst(type, function.getDataLayout().getAllocaAddrSpace(), name, entry.begin());
  slots.insert(slot);
  return slot;
}

AllocaInst *LaneSlots::createMask(const Twine &name) {
  return createSlot(Type::getInt1Ty(function.getContext()), name);
}

// Stores poison to the slot where the level around it starts. A slot's value is not used in the next iteration of that
// loop; without the store, promotion would make the value loop-carried.
void LaneSlots::forgetAtLevelStart(AllocaInst *slot, BasicBlock *block) {
  const Loop *loop = loops.getLoopFor(block);
  BasicBlock *start = loop ? loop->getHeader() : &function.getEntryBlock();
  BasicBlock::iterator at = start->getFirstNonPHIOrDbgOrAlloca();
  level_starts.push_back(new StoreInst(PoisonValue::get(slot->getAllocatedType()), slot, at));
}

void LaneSlots::demotePhis() {
  SmallVector<PHINode *> phis;
  for (Instruction &instruction : instructions(function))
    if (auto *phi = dyn_cast<PHINode>(&instruction))
      phis.push_back(phi);
  // All reads are created before the writes are noted, because a value to write may be another phi.
  SmallVector<std::pair<PHINode *, AllocaInst *>> demoted;
  for (PHINode *phi : phis) {
    AllocaInst *slot = createSlot(phi->getType(), phi->getName());
    auto *value = new LoadInst(phi->getType(), slot, "", phi->getParent()->getFirstNonPHIIt());
    value->setDebugLoc(phi->getDebugLoc());
    value->takeName(phi);
    phi->replaceAllUsesWith(value);
    demoted.emplace_back(phi, slot);
    of_block[phi->getParent()].push_back(slot);
  }
  for (auto [phi, slot] : demoted)
    for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i)
      writes[{phi->getIncomingBlock(i), phi->getParent()}].push_back({slot, phi->getIncomingValue(i)});
  for (auto [phi, slot] : demoted) {
    BasicBlock *block = phi->getParent();
    phi->eraseFromParent();
    const Loop *loop = loops.getLoopFor(block);
    if (!loop || loop->getHeader() != block)
      forgetAtLevelStart(slot, block);
  }
}

void LaneSlots::forget(IRBuilderBase &builder, BasicBlock *block) {
  for (AllocaInst *slot : of_block.lookup(block))
    builder.CreateStore(PoisonValue::get(slot->getAllocatedType()), slot);
}

void LaneSlots::writeEdge(IRBuilderBase &builder, BasicBlock *from, BasicBlock *to, Value *mask) {
  assert((mask == nullptr || mask->getType()->isIntegerTy(1)) && "a lane's mask is a bit");
  for (auto [slot, value] : writes.lookup({from, to})) {
    if (mask) {
      Value *old = builder.CreateLoad(slot->getAllocatedType(), slot);
      value = builder.CreateSelect(mask, value, old, slot->getName() + ".blend");
    }
    builder.CreateStore(value, slot);
  }
}

bool LaneSlots::isSlotAccess(const Instruction &instruction) const {
  const Value *pointer = getLoadStorePointerOperand(&instruction);
  const auto *slot = dyn_cast_or_null<AllocaInst>(pointer);
  return slot && slots.contains(const_cast<AllocaInst *>(slot));
}

// Whether the definition comes before every use on all paths.
static bool dominatesUses(const Instruction &value, const DominatorTree &tree) {
  return all_of(value.uses(), [&](const Use &use) { return tree.dominates(&value, use); });
}

// Keeps the value in a slot, and loads it wherever its definition does not dominate the use.
void LaneSlots::demoteUndominated(Instruction &value, const DominatorTree &tree) {
  AllocaInst *slot = createSlot(value.getType(), value.getName());
  for (Use &use : make_early_inc_range(value.uses())) {
    auto *user = cast<Instruction>(use.getUser());
    if (tree.dominates(&value, use))
      continue;
    assert(!isa<PHINode>(user) && "phis are slots by now");
    auto *reload = new LoadInst(value.getType(), slot, value.getName(), user->getIterator());
    reload->setDebugLoc(user->getDebugLoc());
    use.set(reload);
  }
  auto *store = new StoreInst(&value, slot, std::next(value.getIterator()));
  store->setDebugLoc(value.getDebugLoc());
  forgetAtLevelStart(slot, value.getParent());
}

// Moves each store of poison down to where its slot is needed first. PromoteMemToReg visits all blocks that the block
// of a store dominates. At the start of a level these are most of a long kernel, for each of its many slots.
void LaneSlots::delayForgetting(const DominatorTree &tree) {
  const LoopInfo now(tree);
  for (StoreInst *forgetting : level_starts) {
    // `first` becomes the nearest block that dominates all other accesses of the slot.
    BasicBlock *const start = forgetting->getParent(), *first = nullptr;
    for (const User *user : forgetting->getPointerOperand()->users()) {
      BasicBlock *const block = const_cast<BasicBlock *>(cast<Instruction>(user)->getParent());
      if (user != forgetting)
        first = first ? tree.findNearestCommonDominator(first, block) : block;
    }
    // The store must not move into a loop within the level, where it would be repeated.
    const Loop *const level = now.getLoopFor(start);
    const Loop *loop = first ? now.getLoopFor(first) : nullptr;
    for (; loop && loop != level && tree.properlyDominates(start, first); loop = now.getLoopFor(first))
      first = tree.getNode(loop->getHeader())->getIDom()->getBlock();
    if (loop == level && first && tree.properlyDominates(start, first))
      forgetting->moveBefore(first->getFirstNonPHIOrDbgOrAlloca());
  }
}

void LaneSlots::promote() {
  DominatorTree tree(function);
  SmallVector<Instruction *> undominated;
  for (Instruction &value : instructions(function))
    if (!dominatesUses(value, tree))
      undominated.push_back(&value);
  for (Instruction *value : undominated)
    demoteUndominated(*value, tree);
  delayForgetting(tree);
  assert(all_of(slots, [](const AllocaInst *slot) { return isAllocaPromotable(slot); }) &&
         "slots are only read and written");
  PromoteMemToReg(slots.getArrayRef(), tree);
}

} // namespace lanecl::vectorizer
