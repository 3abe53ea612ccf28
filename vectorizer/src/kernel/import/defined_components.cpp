// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "kernel/import/defined_components.h"

#include "pass_support/preserved.h"
#include "vectorizer/check.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace lanecl::vectorizer {

namespace {

// Whether a constant of the type can be all zeros: images and samplers cannot.
bool hasZero(const Type *type) {
  return !type->isTargetExtTy() && all_of(type->subtypes(), [](const Type *member) { return hasZero(member); });
}

// Whether the instruction is one of Clang's for a vector of three that is stored with undef as the fourth component,
// which no load of the vector takes. Undef bits leave their neighbours as they are, and where components are stored one
// by one, as in private arrays, LLVM leaves out that one.
bool pads(const Instruction &instruction) {
  if (const auto *store = dyn_cast<StoreInst>(&instruction)) {
    const auto *constant = dyn_cast<Constant>(store->getValueOperand());
    return constant && !constant->containsPoisonElement();
  }
  const auto *shuffle = dyn_cast<ShuffleVectorInst>(&instruction);
  return shuffle && isa<UndefValue>(shuffle->getOperand(1)) && !isa<PoisonValue>(shuffle->getOperand(1)) &&
         !is_contained(shuffle->getShuffleMask(), PoisonMaskElem) &&
         all_of(shuffle->users(), [](const User *user) { return isa<StoreInst>(user); });
}

class Definer {
public:
  explicit Definer(bool stays_undef) : stays_undef(stays_undef) {}

  bool visit(Instruction &instruction);

private:
  Constant *filler(Type *type) const { return stays_undef ? UndefValue::get(type) : Constant::getNullValue(type); }
  Constant *filled(Constant &constant) const;
  bool fillConstants(Instruction &instruction) const;
  bool fillMask(ShuffleVectorInst &shuffle) const;

  const bool stays_undef;
};

// The constant with a value for each component that has none; null if all have one.
Constant *Definer::filled(Constant &constant) const {
  const auto *vector = dyn_cast<FixedVectorType>(constant.getType());
  if (isa<UndefValue>(constant)) {
    Constant *result = hasZero(constant.getType()) ? filler(constant.getType()) : nullptr;
    return result == &constant ? nullptr : result;
  }
  if (!vector || !constant.containsUndefOrPoisonElement())
    return nullptr;
  SmallVector<Constant *, 16> elements;
  bool changed = false;
  for (unsigned i = 0; i < vector->getNumElements(); ++i) {
    Constant *element = constant.getAggregateElement(i);
    if (!element)
      return nullptr;
    Constant *defined = isa<UndefValue>(element) ? filled(*element) : nullptr;
    changed |= defined != nullptr;
    elements.push_back(defined ? defined : element);
  }
  return changed ? ConstantVector::get(elements) : nullptr;
}

// A value that is undefined as a whole has no neighbours, unless components are put into it or taken from it.
bool Definer::fillConstants(Instruction &instruction) const {
  const bool in_part = isa<InsertElementInst, InsertValueInst, ShuffleVectorInst>(instruction);
  bool changed = false;
  for (Use &operand : instruction.operands()) {
    auto *constant = dyn_cast<Constant>(operand);
    if (!constant || !(constant->getType()->isVectorTy() || constant->getType()->isAggregateType()) ||
        (isa<UndefValue>(constant) && !in_part))
      continue;
    if (Constant *defined = filled(*constant)) {
      operand.set(defined);
      changed = true;
    }
  }
  return changed;
}

// The second operand, where it is a constant, has elements to spare. Else the first one has.
bool Definer::fillMask(ShuffleVectorInst &shuffle) const {
  if (!is_contained(shuffle.getShuffleMask(), PoisonMaskElem))
    return false;
  const int count = int(cast<FixedVectorType>(shuffle.getOperand(0)->getType())->getNumElements());
  const auto *second = dyn_cast<Constant>(shuffle.getOperand(1));
  const bool spare = second && (stays_undef ? isa<UndefValue>(second) : second->isNullValue());
  SmallVector<int, 16> mask(shuffle.getShuffleMask());
  for (int &from : mask)
    if (from < 0)
      from = spare ? count : 0;
  shuffle.setShuffleMask(mask);
  return true;
}

bool Definer::visit(Instruction &instruction) {
  if (pads(instruction))
    return false;
  bool changed = !isa<PHINode>(instruction) && fillConstants(instruction);
  if (auto *shuffle = dyn_cast<ShuffleVectorInst>(&instruction))
    changed |= fillMask(*shuffle);
  return changed;
}

} // namespace

PreservedAnalyses DefinedComponentsPass::run(Function &function, FunctionAnalysisManager &) {
  Definer definer(/*stays_undef=*/context.checks && context.checks->initialisation);
  bool changed = false;
  for (Instruction &instruction : instructions(function))
    changed |= definer.visit(instruction);
  return preservedWithCfg(changed);
}

} // namespace lanecl::vectorizer
