// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// linearize works in memory form: while the control flow is rebuilt, every phi is a variable that the edges into its
// block write. An edge that carries only some of the lanes blends. Promotion to SSA at the end makes phis only where
// they are needed.
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

  // Turns all phis into slots, read at the start of their block.
  void demotePhis();

  // Writes the phis of `to` for the edge from `from`. A null mask: all lanes that arrive take this edge.
  void writeEdge(llvm::IRBuilderBase &builder, llvm::BasicBlock *from, llvm::BasicBlock *to, llvm::Value *mask);

  // Marks the block's slots as undefined, as long as no lane has branched to it. Only shortens their lifetimes.
  void forget(llvm::IRBuilderBase &builder, llvm::BasicBlock *block);

  // A mask that changes: a slot of i1.
  llvm::AllocaInst *createMask(const llvm::Twine &name);

  bool isSlotAccess(const llvm::Instruction &instruction) const;

  // After the control flow is final: gives values that no longer dominate their uses a slot, too, and promotes all
  // slots to SSA.
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
  llvm::SmallVector<llvm::StoreInst *> level_starts; // where slots are forgotten
  llvm::DenseMap<Edge, llvm::SmallVector<Write, 2>> writes;
  llvm::DenseMap<llvm::BasicBlock *, llvm::SmallVector<llvm::AllocaInst *, 2>> of_block;
};

} // namespace lanecl::vectorizer
