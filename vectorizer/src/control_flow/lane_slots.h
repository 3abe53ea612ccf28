// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Slots: the memory form in which linearize works. While the control flow is rebuilt, every phi is a variable, and the
// edges into its block write it. An edge that carries only some of the lanes blends:
//
//   %x = phi [1, %a], [2, %b]    ->    in %a: store 1;  in %b: store select(%mask, 2, load)
//
// Promotion to SSA form at the end makes phis only where they are needed.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"

namespace llvm {
class AllocaInst;
class DominatorTree;
class LoopInfo;
class PHINode;
class StoreInst;
} // namespace llvm

namespace lanecl::vectorizer {

class LaneSlots {
public:
  LaneSlots(llvm::Function &function, llvm::LoopInfo &loops);

  // Turns all phis into slots, which are read at the start of their block.
  void demotePhis();

  // Writes the values of the phis of `to` for the edge from `from`, for the lanes in `mask`. With a null mask, all
  // lanes that arrive take this edge.
  void writeEdge(llvm::IRBuilderBase &builder, llvm::BasicBlock *from, llvm::BasicBlock *to, llvm::Value *mask);

  // Marks the block's slots as undefined, until a lane branches to the block. This only shortens their lifetimes.
  void forget(llvm::IRBuilderBase &builder, llvm::BasicBlock *block);

  // Creates a slot of i1 for a mask that changes.
  llvm::AllocaInst *createMask(const llvm::Twine &name);

  // Whether the instruction is a load or store of a slot.
  bool isSlotAccess(const llvm::Instruction &instruction) const;

  // Call this after the control flow is final. Values that no longer dominate their uses get a slot, too, and then all
  // slots are promoted to SSA form.
  void promote();

private:
  using Edge = std::pair<llvm::BasicBlock *, llvm::BasicBlock *>;
  struct Write {
    llvm::AllocaInst *slot;
    llvm::Value *value;
  };

  llvm::AllocaInst *createSlot(llvm::Type *type, const llvm::Twine &name);
  void demote(llvm::PHINode *phi);
  void forgetAtLevelStart(llvm::AllocaInst *slot, llvm::BasicBlock *block);
  void demoteUndominated(llvm::Instruction &value, const llvm::DominatorTree &tree);
  void delayForgetting(const llvm::DominatorTree &tree);

  llvm::Function &function;
  llvm::LoopInfo &loops; // of the original control flow
  llvm::SmallSetVector<llvm::AllocaInst *, 16> slots;
  llvm::SmallVector<llvm::StoreInst *> level_starts; // the stores of poison by which slots are forgotten
  // The values to write on each edge.
  llvm::DenseMap<Edge, llvm::SmallVector<Write, 2>> writes;
  // The slots of the phis of each block.
  llvm::DenseMap<llvm::BasicBlock *, llvm::SmallVector<llvm::AllocaInst *, 2>> of_block;
};

} // namespace lanecl::vectorizer
