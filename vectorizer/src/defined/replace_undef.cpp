// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "defined/replace_undef.h"

#include "defined/defined_constant.h"
#include "pass_support/preserved.h"

#include "llvm/ADT/SmallBitVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace lanecl::vectorizer {
namespace {

constexpr unsigned kMostInsertions = 16; // the number of components of OpenCL C's longest vectors

// Whether the type is a number, or a vector or aggregate of numbers.
bool isOfNumbers(const Type &type) {
  if (const auto *array = dyn_cast<ArrayType>(&type))
    return isOfNumbers(*array->getElementType());
  if (const auto *structure = dyn_cast<StructType>(&type))
    return all_of(structure->elements(), [](const Type *member) { return isOfNumbers(*member); });
  return type.isIntOrIntVectorTy() || type.isFPOrFPVectorTy();
}

// Whether a constant of the type can be all zeros. Images and samplers cannot.
bool hasZero(const Type *type) {
  return !type->isTargetExtTy() && all_of(type->subtypes(), [](const Type *member) { return hasZero(member); });
}

// Whether any user may look at one of the `gaps`, the components of the vector that are still to be inserted.
bool showsGap(const Value &vector, SmallBitVector gaps, unsigned steps_left = kMostInsertions) {
  return any_of(vector.uses(), [&](const Use &use) {
    if (const auto *insert = dyn_cast<InsertElementInst>(use.getUser()); insert && use.getOperandNo() == 0) {
      const auto *index = dyn_cast<ConstantInt>(insert->getOperand(2));
      if (!index || index->getValue().uge(gaps.size()) || steps_left == 0)
        return true;
      SmallBitVector left = gaps;
      left.reset(index->getZExtValue());
      return left.any() && showsGap(*insert, std::move(left), steps_left - 1);
    }
    if (const auto *extract = dyn_cast<ExtractElementInst>(use.getUser())) {
      const auto *index = dyn_cast<ConstantInt>(extract->getIndexOperand());
      return !index || index->getValue().uge(gaps.size()) || gaps.test(index->getZExtValue());
    }
    if (const auto *shuffle = dyn_cast<ShuffleVectorInst>(use.getUser())) {
      const int first = use.getOperandNo() == 0 ? 0 : int(gaps.size());
      return any_of(shuffle->getShuffleMask(), [&](int from) {
        return from >= first && from < first + int(gaps.size()) && gaps.test(unsigned(from - first));
      });
    }
    return true;
  });
}

// Replaces undefined values in one function.
class Replacer {
public:
  explicit Replacer(Unwritten which) : which(which) {}

  bool run(Function &function);

private:
  bool isUndefined(const Value &value) const;
  bool isUndefinedElement(const Constant &vector, unsigned i) const;
  Constant *replacement(Constant &constant) const;
  bool visit(Instruction &instruction);
  bool visitVariable(AllocaInst &variable);
  bool visitPhi(PHINode &phi);
  bool visitFreeze(FreezeInst &freeze);
  bool visitMember(InsertValueInst &insert);
  bool visitInsertion(InsertElementInst &insert);
  bool visitShuffle(ShuffleVectorInst &shuffle);
  bool visitOperands(Instruction &instruction);

  const Unwritten which;
};

bool Replacer::isUndefined(const Value &value) const {
  return isa<UndefValue>(value) && !(which == Unwritten::Memory && isa<PoisonValue>(value)) &&
         isOfNumbers(*value.getType());
}

// Whether the i-th component of a constant vector is undefined.
bool Replacer::isUndefinedElement(const Constant &vector, unsigned i) const {
  const Constant *element = vector.getAggregateElement(i);
  return element != nullptr && isUndefined(*element);
}

// Returns the constant with zeros in place of its undefined parts, or null if it has none.
Constant *Replacer::replacement(Constant &constant) const {
  if (isUndefined(constant))
    return Constant::getNullValue(constant.getType());
  if (which == Unwritten::Memory || !isa<ConstantVector>(constant) || !isOfNumbers(*constant.getType()))
    return nullptr;
  Constant *defined = definedConstant(constant);
  return defined != &constant ? defined : nullptr;
}

// Returns the loads of a variable that is never written, or none if it may be written.
SmallVector<LoadInst *> loadsOfUnwritten(AllocaInst &variable) {
  SmallVector<LoadInst *> loads;
  SmallVector<Instruction *> pointers{&variable};
  while (!pointers.empty())
    for (User *user : pointers.pop_back_val()->users()) {
      if (isa<GetElementPtrInst, AddrSpaceCastInst>(user))
        pointers.push_back(cast<Instruction>(user));
      else if (auto *load = dyn_cast<LoadInst>(user); load && load->isSimple())
        loads.push_back(load);
      else if (!isa<LifetimeIntrinsic>(user))
        return {};
    }
  return loads;
}

// Replaces the loads of a variable that is never written. InstCombine would make undef of them.
bool Replacer::visitVariable(AllocaInst &variable) {
  const SmallVector<LoadInst *> loads = loadsOfUnwritten(variable);
  for (LoadInst *load : loads)
    if (isOfNumbers(*load->getType()))
      load->replaceAllUsesWith(Constant::getNullValue(load->getType()));
  return !loads.empty();
}

// Whether the phi has been frozen already.
bool isFrozen(const PHINode &phi) {
  return phi.hasOneUse() && isa<FreezeInst>(phi.user_back());
}

// Freezes a phi with an undefined incoming value.
bool Replacer::visitPhi(PHINode &phi) {
  const auto is_undefined = [&](Value *value) {
    auto *constant = dyn_cast<Constant>(value);
    return constant && replacement(*constant);
  };
  if (none_of(phi.incoming_values(), is_undefined) || isFrozen(phi))
    return false;
  for (Use &incoming : phi.incoming_values())
    if (isUndefined(*incoming))
      incoming.set(PoisonValue::get(phi.getType())); // a select drops poison, but not undef
  IRBuilder<> b(phi.getParent(), phi.getParent()->getFirstInsertionPt());
  auto *frozen = cast<Instruction>(b.CreateFreeze(&phi));
  frozen->takeName(&phi);
  phi.replaceUsesWithIf(frozen, [&](const Use &use) { return use.getUser() != frozen; });
  return true;
}

bool Replacer::visitFreeze(FreezeInst &freeze) {
  auto *constant = dyn_cast<Constant>(freeze.getOperand(0));
  Constant *defined = constant ? replacement(*constant) : nullptr;
  if (!defined)
    return false;
  freeze.replaceAllUsesWith(defined);
  freeze.eraseFromParent();
  return true;
}

// Fills the aggregate into which a member is inserted. Members that are numbers need a value even if others are
// pointers.
bool Replacer::visitMember(InsertValueInst &insert) {
  const bool keeps_poison = which == Unwritten::Memory && isa<PoisonValue>(insert.getAggregateOperand());
  if (!isa<UndefValue>(insert.getAggregateOperand()) || keeps_poison || !hasZero(insert.getType()))
    return visitOperands(insert);
  insert.setOperand(0, Constant::getNullValue(insert.getType()));
  visitOperands(insert);
  return true;
}

// Fills the vector into which a component is inserted, unless all of its gaps are inserted before anybody looks.
bool Replacer::visitInsertion(InsertElementInst &insert) {
  bool changed = false;
  if (isUndefined(*insert.getOperand(1))) {
    insert.setOperand(1, Constant::getNullValue(insert.getOperand(1)->getType()));
    changed = true;
  }
  auto *base = dyn_cast<Constant>(insert.getOperand(0));
  Constant *defined = base ? replacement(*base) : nullptr;
  if (!defined)
    return changed;
  SmallBitVector gaps(cast<FixedVectorType>(insert.getType())->getNumElements());
  for (unsigned i = 0; i < gaps.size(); ++i)
    if (isUndefinedElement(*base, i))
      gaps.set(i);
  if (const auto *index = dyn_cast<ConstantInt>(insert.getOperand(2)); index && index->getValue().ult(gaps.size())) {
    gaps.reset(index->getZExtValue());
    if (gaps.none() || !showsGap(insert, gaps))
      return changed;
  }
  insert.setOperand(0, defined);
  return true;
}

// Fills components that the mask leaves open. They become the first component of the second vector; if that is
// undefined, it becomes zero.
bool Replacer::visitShuffle(ShuffleVectorInst &shuffle) {
  const auto *type = dyn_cast<FixedVectorType>(shuffle.getOperand(0)->getType());
  if (!type || !isOfNumbers(*type))
    return false;
  const int count = int(type->getNumElements());
  SmallVector<int> mask(shuffle.getShuffleMask());
  const bool fills = which == Unwritten::All && is_contained(mask, PoisonMaskElem);
  if (fills)
    std::replace(mask.begin(), mask.end(), int(PoisonMaskElem), count);
  bool changed = fills;
  for (unsigned i = 0; i < 2; ++i) {
    const int first = i == 0 ? 0 : count;
    auto *source = dyn_cast<Constant>(shuffle.getOperand(i));
    const bool is_used = any_of(mask, [&](int from) { return from >= first && from < first + count; });
    if (Constant *defined = source && is_used ? replacement(*source) : nullptr) {
      shuffle.setOperand(i, defined);
      changed = true;
    }
  }
  if (fills)
    shuffle.setShuffleMask(mask);
  return changed;
}

bool Replacer::visitOperands(Instruction &instruction) {
  bool changed = false;
  for (Use &operand : instruction.operands()) {
    auto *constant = dyn_cast<Constant>(operand);
    if (Constant *defined = constant ? replacement(*constant) : nullptr) {
      operand.set(defined);
      changed = true;
    }
  }
  return changed;
}

bool Replacer::visit(Instruction &instruction) {
  if (auto *variable = dyn_cast<AllocaInst>(&instruction))
    return visitVariable(*variable);
  if (auto *phi = dyn_cast<PHINode>(&instruction))
    return visitPhi(*phi);
  if (auto *freeze = dyn_cast<FreezeInst>(&instruction))
    return visitFreeze(*freeze);
  if (auto *insert = dyn_cast<InsertValueInst>(&instruction))
    return visitMember(*insert);
  if (auto *insert = dyn_cast<InsertElementInst>(&instruction))
    return visitInsertion(*insert);
  if (auto *shuffle = dyn_cast<ShuffleVectorInst>(&instruction))
    return visitShuffle(*shuffle);
  if (auto *store = dyn_cast<StoreInst>(&instruction); store && store->isSimple() &&
                                                       isUndefined(*store->getValueOperand()) &&
                                                       !isa<PoisonValue>(store->getValueOperand())) {
    store->eraseFromParent();
    return true;
  }
  return visitOperands(instruction);
}

bool Replacer::run(Function &function) {
  bool changed = false;
  for (Instruction &instruction : make_early_inc_range(instructions(function)))
    changed |= visit(instruction);
  return changed;
}

} // namespace

PreservedAnalyses ReplaceUndefPass::run(Function &function, FunctionAnalysisManager &) {
  return preservedWithCfg(Replacer(which).run(function));
}

} // namespace lanecl::vectorizer
