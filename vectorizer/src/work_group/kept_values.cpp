// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "work_group/kept_values.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace lanecl::vectorizer {
namespace {

// The blocks through which a value is live, found backwards from its uses.
class LiveRange {
public:
  LiveRange(const Value &value, const BasicBlock &home) : value(value), home(home) {
    for (const Use &use : value.uses()) {
      const auto *user = cast<Instruction>(use.getUser());
      if (const auto *phi = dyn_cast<PHINode>(user))
        leaves(*phi->getIncomingBlock(use));
      else if (user->getParent() != &home)
        enters.push_back(user->getParent());
    }
    while (!enters.empty())
      enter(*enters.pop_back_val());
  }

  // Returns whether the value is live across the instruction `place`.
  bool contains(const Instruction &place) const {
    const BasicBlock *block = place.getParent();
    const auto *definition = dyn_cast<Instruction>(&value);
    const bool before = live_in.contains(block) || (block == &home && (!definition || definition->comesBefore(&place)));
    return before && (live_out.contains(block) || isUsedBehind(place));
  }

private:
  // Notes that the value is live at the end of the block.
  void leaves(const BasicBlock &block) {
    if (live_out.insert(&block).second && &block != &home)
      enters.push_back(&block);
  }
  // Notes that the value is live at the start of the block, and so at the end of its predecessors.
  void enter(const BasicBlock &block) {
    if (live_in.insert(&block).second)
      for (const BasicBlock *predecessor : predecessors(&block))
        leaves(*predecessor);
  }
  bool isUsedBehind(const Instruction &place) const {
    return any_of(value.users(), [&](const User *user) {
      const auto *instruction = cast<Instruction>(user);
      return instruction->getParent() == place.getParent() && !isa<PHINode>(instruction) &&
             place.comesBefore(instruction);
    });
  }

  const Value &value;
  const BasicBlock &home; // the block that computes the value
  SmallPtrSet<const BasicBlock *, 16> live_in, live_out;
  SmallVector<const BasicBlock *> enters; // blocks that are still to be added to live_in
};

} // namespace

std::vector<uint64_t> bytesKept(Function &lanes, ArrayRef<CallInst *> barriers) {
  const DataLayout &layout = lanes.getDataLayout();
  std::vector<uint64_t> bytes(barriers.size());
  const auto add = [&](const Value &value, const BasicBlock &home, uint64_t size) {
    const LiveRange range(value, home);
    for (size_t i = 0; i < barriers.size(); ++i)
      bytes[i] += range.contains(*barriers[i]) ? size : 0;
  };
  for (const Argument &argument : lanes.args())
    add(argument, lanes.getEntryBlock(), layout.getTypeAllocSize(argument.getType()).getFixedValue());
  for (const Instruction &instruction : instructions(lanes)) {
    if (!instruction.getType()->isSized() || instruction.use_empty())
      continue;
    const auto *variable = dyn_cast<AllocaInst>(&instruction);
    const TypeSize size = variable ? variable->getAllocationSize(layout).value_or(TypeSize::getFixed(0))
                                   : layout.getTypeAllocSize(instruction.getType());
    add(instruction, *instruction.getParent(), size.getFixedValue());
  }
  return bytes;
}

} // namespace lanecl::vectorizer
