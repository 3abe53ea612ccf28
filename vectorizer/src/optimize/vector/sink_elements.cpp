// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "optimize/vector/sink_elements.h"

#include "pass_support/preserved.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/BasicBlock.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace lanecl::vectorizer {

namespace {

// Returns the value that `instruction` takes a part of, or null if the instruction does something else.
Value *wholeOf(const Instruction &instruction) {
  if (instruction.getType()->isVectorTy())
    return nullptr;
  switch (instruction.getOpcode()) {
  case Instruction::ExtractElement:
  case Instruction::LShr:
  case Instruction::AShr:
  case Instruction::And: return isa<Constant>(instruction.getOperand(1)) ? instruction.getOperand(0) : nullptr;
  case Instruction::Trunc:
  case Instruction::ZExt:
  case Instruction::SExt: return instruction.getOperand(0);
  default: return nullptr;
  }
}

// Returns whether the instruction takes one of several parts of a value. That value stays in its register until the
// last part is taken, so taking a part later keeps no further register occupied.
bool isPart(const Instruction &instruction) {
  const Value *whole = wholeOf(instruction);
  if (!whole || isa<Constant>(whole))
    return false;
  const auto *other = dyn_cast<Instruction>(whole);
  return whole->hasNUsesOrMore(2) || (other && wholeOf(*other));
}

// Sinks the parts in one block, from its end to its start: users come before their operands, so their places are final.
class Block {
public:
  explicit Block(BasicBlock &block) : block(block) {
    unsigned next = 0;
    for (const Instruction &instruction : block)
      places[&instruction] = next++;
  }

  bool run() {
    bool changed = false;
    for (Instruction &instruction : make_early_inc_range(reverse(block)))
      changed |= sink(instruction);
    return changed;
  }

private:
  BasicBlock &block;
  DenseMap<const Instruction *, unsigned> places; // a sunk instruction has the place of its user

  bool isBefore(const Instruction &a, const Instruction &b) const {
    const unsigned place_a = places.at(&a), place_b = places.at(&b);
    return place_a != place_b ? place_a < place_b : a.comesBefore(&b);
  }

  // Returns the first user in the block, or null if a user is a phi or in another block.
  Instruction *firstUser(const Instruction &instruction) const {
    Instruction *first = nullptr;
    for (const User *candidate : instruction.users()) {
      auto *user = cast<Instruction>(const_cast<User *>(candidate));
      if (user->getParent() != &block || isa<PHINode>(user))
        return nullptr;
      if (!first || isBefore(*user, *first))
        first = user;
    }
    return first;
  }

  // Moves the part right before its first user, unless it is there already.
  bool sink(Instruction &instruction) {
    if (!isPart(instruction) || instruction.isUsedByMetadata())
      return false;
    Instruction *user = firstUser(instruction);
    if (!user || instruction.getNextNode() == user)
      return false;
    instruction.moveBefore(user->getIterator());
    places[&instruction] = places.at(user);
    return true;
  }
};

} // namespace

PreservedAnalyses SinkElementsPass::run(Function &function, FunctionAnalysisManager &) {
  bool changed = false;
  for (BasicBlock &block : function)
    changed |= Block(block).run();
  return preservedWithCfg(changed);
}

} // namespace lanecl::vectorizer
