// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "optimize/vector/mask_registers.h"

#include "pass_support/preserved.h"

#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"

#include <cassert>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace lanecl::vectorizer {
namespace {

constexpr unsigned kDefaultBits = 32; // the width for masks that nothing votes on

// Returns whether the value is a mask. Vectors of fewer than four i1 are left to LLVM.
bool isMask(const Value *v) {
  auto *type = dyn_cast<FixedVectorType>(v->getType());
  return type && type->getElementType()->isIntegerTy(1) && type->getNumElements() >= 4;
}

// Returns whether the instruction computes a mask from masks.
bool combinesMasks(const Instruction &instruction) {
  return isMask(&instruction) && (isa<PHINode, FreezeInst, SelectInst>(instruction) || instruction.isBitwiseLogicOp());
}

// Returns whether a user of the instruction is in another block.
bool usedInOtherBlocks(const Instruction &instruction) {
  return any_of(instruction.users(),
                [&](const User *user) { return cast<Instruction>(user)->getParent() != instruction.getParent(); });
}

// Returns the size of an element in a register; pointers have 64 bits.
unsigned elementBits(const Type *type) {
  return type->isPtrOrPtrVectorTy() ? 64 : const_cast<Type *>(type)->getScalarSizeInBits();
}

// Gives the masks of one function their wide form.
class MaskRegisters {
public:
  MaskRegisters(Function &function, unsigned register_bits) : function(function), register_bits(register_bits) {}
  bool run();

private:
  Function &function;
  unsigned register_bits;
  SmallVector<Instruction *, 32> masks; // the masks that get a wide form, in the order of the function
  EquivalenceClasses<Value *> webs;     // masks that flow into each other share one element width
  DenseMap<Value *, unsigned> web_bits; // for each web's leader, the width of the web's elements
  DenseMap<Value *, Value *> wide;      // for each mask, its <W x iB>

  void collect();
  void chooseWidths();
  void vote(Instruction *mask, DenseMap<Value *, SmallDenseMap<unsigned, unsigned, 4>> &votes);
  FixedVectorType *wideType(Value *mask);
  Value *widen(Instruction *mask);
  Value *wideOperand(Value *operand, Instruction *user_mask, Instruction *before);
  Value *widenSelect(SelectInst *select);
  void fillPhi(PHINode *phi);
  void replaceUses(Instruction *mask);
  void replaceUse(Instruction *mask, Use &use);
  static bool replaceSum(ZExtInst &one, Value &wide_mask);
  void keepForDebugger(Instruction *mask);
  bool replaceTest(Instruction *mask, Instruction *bits);
};

// Collects the masks that get a wide form: combinations of masks, and comparisons that are used in other blocks.
void MaskRegisters::collect() {
  for (Instruction &instruction : instructions(function)) {
    const bool shared_compare = isa<CmpInst>(instruction) && isMask(&instruction) && usedInOtherBlocks(instruction);
    if (!combinesMasks(instruction) && !shared_compare)
      continue;
    masks.push_back(&instruction);
    webs.insert(&instruction);
  }
  for (Instruction *mask : masks)
    if (combinesMasks(*mask))
      for (Value *operand : mask->operands())
        if (isMask(operand) && webs.contains(operand))
          webs.unionSets(mask, operand);
}

// Counts the widths that a mask meets: comparisons determine the width that it has, selects and memory accesses the
// width that they need.
void MaskRegisters::vote(Instruction *mask, DenseMap<Value *, SmallDenseMap<unsigned, unsigned, 4>> &votes) {
  auto &web = votes[webs.getLeaderValue(mask)];
  const auto count = [&](Type *type) {
    const unsigned bits = elementBits(type);
    if (bits >= 8 && bits <= 64)
      ++web[bits];
  };
  if (isa<CmpInst>(mask))
    count(mask->getOperand(0)->getType());
  for (Value *operand : mask->operands())
    if (auto *compare = dyn_cast<CmpInst>(operand))
      count(compare->getOperand(0)->getType());
  for (User *user : mask->users())
    if (isa<SelectInst, SExtInst, ZExtInst, IntrinsicInst>(user))
      count(user->getType()->isVoidTy() ? user->getOperand(0)->getType() : user->getType());
}

// Chooses for each web the width that is met most often.
void MaskRegisters::chooseWidths() {
  DenseMap<Value *, SmallDenseMap<unsigned, unsigned, 4>> votes;
  for (Instruction *mask : masks)
    vote(mask, votes);
  for (auto &[leader, web] : votes) {
    unsigned best = kDefaultBits, best_count = 0;
    for (unsigned bits : {32u, 64u, 16u, 8u})
      if (web.lookup(bits) > best_count) {
        best = bits;
        best_count = web.lookup(bits);
      }
    web_bits[leader] = best;
  }
}

// Returns the type of the mask's wide form.
FixedVectorType *MaskRegisters::wideType(Value *mask) {
  assert(webs.contains(mask) && web_bits.contains(webs.getLeaderValue(mask)) && "the mask's web has a width");
  const unsigned bits = web_bits.lookup(webs.getLeaderValue(mask));
  return FixedVectorType::get(IntegerType::get(function.getContext(), bits),
                              cast<FixedVectorType>(mask->getType())->getNumElements());
}

// Returns the wide form of a mask that `user_mask` is computed from. The sign extension of a comparison costs nothing.
// A condition that all lanes share is extended as a scalar before it is splat.
Value *MaskRegisters::wideOperand(Value *operand, Instruction *user_mask, Instruction *before) {
  if (Value *known = wide.lookup(operand)) {
    assert(known->getType() == wideType(user_mask) && "masks that flow into each other have one width");
    return known;
  }
  IRBuilder<> b(before);
  FixedVectorType *type = wideType(user_mask);
  Value *shared = isa<Constant>(operand) ? nullptr : getSplatValue(operand);
  if (!shared)
    return b.CreateSExt(operand, type);
  return b.CreateVectorSplat(type->getNumElements(), b.CreateSExt(shared, type->getElementType()));
}

// Returns the wide form of a select of masks. Masks are combined by selects, because conditions are poison in lanes
// that did not compute them. In a register all bits are defined once frozen, so and/or are enough here.
Value *MaskRegisters::widenSelect(SelectInst *select) {
  IRBuilder<> b(select);
  Value *condition = select->getCondition(), *other = nullptr;
  const auto operand = [&](Value *mask) { return wideOperand(mask, select, select); };
  if (!isMask(condition))
    return b.CreateSelect(condition, operand(select->getTrueValue()), operand(select->getFalseValue()));
  if (match(select, m_Select(m_Value(), m_Value(other), m_Zero())))
    return b.CreateAnd(operand(condition), b.CreateFreeze(operand(other)));
  if (match(select, m_Select(m_Value(), m_AllOnes(), m_Value(other))))
    return b.CreateOr(operand(condition), b.CreateFreeze(operand(other)));
  return b.CreateSelect(condition, operand(select->getTrueValue()), operand(select->getFalseValue()));
}

// Computes the wide form of a mask from those of its operands.
Value *MaskRegisters::widen(Instruction *mask) {
  IRBuilder<> b(mask);
  if (auto *phi = dyn_cast<PHINode>(mask)) // the operands are added once all masks have their wide form
    return b.CreatePHI(wideType(mask), phi->getNumIncomingValues());
  if (isa<CmpInst>(mask)) {
    b.SetInsertPoint(mask->getNextNode());
    return b.CreateSExt(mask, wideType(mask));
  }
  const auto operand = [&](unsigned i) { return wideOperand(mask->getOperand(i), mask, mask); };
  if (isa<FreezeInst>(mask))
    return b.CreateFreeze(operand(0));
  if (auto *select = dyn_cast<SelectInst>(mask))
    return widenSelect(select);
  return b.CreateBinOp(cast<BinaryOperator>(mask)->getOpcode(), operand(0), operand(1));
}

// Gives a wide phi its operands.
void MaskRegisters::fillPhi(PHINode *phi) {
  auto *result = cast<PHINode>(wide.lookup(phi));
  for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) {
    BasicBlock *from = phi->getIncomingBlock(i);
    result->addIncoming(wideOperand(phi->getIncomingValue(i), phi, from->getTerminator()), from);
  }
}

// Replaces bits == 0 and bits == ~0. The mask's registers are combined first, so that one test instruction sees them
// all.
bool MaskRegisters::replaceTest(Instruction *mask, Instruction *bits) {
  if (!isa<BitCastInst>(bits) || !bits->getType()->isIntegerTy() || !bits->hasOneUse())
    return false;
  auto *test = dyn_cast<ICmpInst>(*bits->user_begin());
  if (!test || !test->isEquality() || !match(test->getOperand(1), m_CombineOr(m_Zero(), m_AllOnes())))
    return false;
  // For "any" the halves are joined by or, for "all" by and.
  const bool any = match(test->getOperand(1), m_Zero());
  Value *v = wide.lookup(mask);
  auto *type = cast<FixedVectorType>(v->getType());
  unsigned lanes = type->getNumElements();
  IRBuilder<> b(bits);
  for (; lanes * type->getScalarSizeInBits() > register_bits && lanes > 1; lanes /= 2) {
    Value *low = b.CreateShuffleVector(v, createSequentialMask(0, lanes / 2, 0));
    Value *high = b.CreateShuffleVector(v, createSequentialMask(lanes / 2, lanes / 2, 0));
    v = any ? b.CreateOr(low, high) : b.CreateAnd(low, high);
  }
  Value *signs = b.CreateBitCast(b.CreateICmpSLT(v, Constant::getNullValue(v->getType())), b.getIntNTy(lanes));
  b.SetInsertPoint(test);
  Value *constant = any ? Constant::getNullValue(signs->getType()) : Constant::getAllOnesValue(signs->getType());
  test->replaceAllUsesWith(b.CreateICmp(test->getPredicate(), signs, constant));
  test->eraseFromParent();
  bits->eraseFromParent();
  return true;
}

// Replaces x + zext(mask) by x - wide: adding 1 in the lanes of a mask is subtracting -1.
bool MaskRegisters::replaceSum(ZExtInst &one, Value &wide_mask) {
  auto *sum = one.hasOneUse() ? dyn_cast<BinaryOperator>(*one.user_begin()) : nullptr;
  Value *other = nullptr;
  if (!sum || !match(sum, m_c_Add(m_Specific(&one), m_Value(other))))
    return false;
  IRBuilder<> b(sum);
  sum->replaceAllUsesWith(b.CreateSub(other, b.CreateSExtOrTrunc(&wide_mask, sum->getType())));
  sum->eraseFromParent();
  one.eraseFromParent();
  return true;
}

// Replaces one use that needs bits, or a mask to select by, by the signs of the wide elements, which blend instructions
// test.
void MaskRegisters::replaceUse(Instruction *mask, Use &use) {
  auto *user = cast<Instruction>(use.getUser());
  Value *v = wide.lookup(mask);
  assert(v != nullptr && !isa<PHINode>(user) && "the mask is wide, and so are masks that depend on it");
  IRBuilder<> b(user);
  if (auto *one = dyn_cast<ZExtInst>(user); one && replaceSum(*one, *v))
    return;
  if (isa<SExtInst>(user) || isa<ZExtInst>(user)) {
    const unsigned bits = v->getType()->getScalarSizeInBits();
    Value *extended = isa<SExtInst>(user) ? b.CreateSExtOrTrunc(v, user->getType())
                                          : b.CreateZExtOrTrunc(b.CreateLShr(v, bits - 1), user->getType());
    user->replaceAllUsesWith(extended);
    user->eraseFromParent();
    return;
  }
  use.set(b.CreateICmpSLT(v, Constant::getNullValue(v->getType())));
}

// Replaces the uses that have no wide form of their own. A comparison's uses in its own block stay as they are.
void MaskRegisters::replaceUses(Instruction *mask) {
  SmallVector<Use *, 8> uses;
  SmallVector<Instruction *, 2> bit_casts;
  for (Use &use : mask->uses()) {
    auto *user = cast<Instruction>(use.getUser());
    const bool in_place = isa<CmpInst>(mask) && user->getParent() == mask->getParent();
    const bool widened = wide.contains(user);
    if (isa<BitCastInst>(user) && !in_place)
      bit_casts.push_back(user);
    else if (!widened && !in_place)
      uses.push_back(&use);
  }
  for (Instruction *bits : bit_casts)
    if (!replaceTest(mask, bits))
      replaceUse(mask, bits->getOperandUse(0));
  for (Use *use : uses)
    replaceUse(mask, *use);
}

// Debug information may refer to a mask, and a variable that was a mask must remain one.
void MaskRegisters::keepForDebugger(Instruction *mask) {
  if (isa<CmpInst>(mask) || !mask->isUsedByMetadata())
    return;
  auto *v = dyn_cast<Instruction>(wide.lookup(mask));
  if (!v)
    return;
  IRBuilder<> b(v->getParent(), *v->getInsertionPointAfterDef());
  ValueAsMetadata::handleRAUW(mask, b.CreateICmpSLT(v, Constant::getNullValue(v->getType())));
}

// Computes the wide form of all masks in the order of control flow, then replaces the uses of the masks.
bool MaskRegisters::run() {
  collect();
  if (masks.empty())
    return false;
  chooseWidths();
  ReversePostOrderTraversal<Function *> order(&function); // operands come before their users, except those of loop phis
  SmallVector<Instruction *, 32> in_order;
  const SmallPtrSet<Instruction *, 32> known(masks.begin(), masks.end());
  for (BasicBlock *block : order)
    for (Instruction &instruction : *block)
      if (known.contains(&instruction))
        in_order.push_back(&instruction);
  for (Instruction *mask : in_order)
    wide[mask] = widen(mask);
  for (Instruction *mask : in_order)
    if (auto *phi = dyn_cast<PHINode>(mask))
      fillPhi(phi);
  // The selects made above still use the original masks; their uses are replaced here, too.
  for (Instruction *mask : in_order) {
    replaceUses(mask);
    keepForDebugger(mask);
  }
  for (Instruction *mask : in_order)
    if (!isa<CmpInst>(mask))
      mask->dropAllReferences();
  for (Instruction *mask : in_order)
    if (!isa<CmpInst>(mask)) {
      if (isa<Instruction>(wide[mask]))
        wide[mask]->takeName(mask);
      mask->eraseFromParent();
    }
  return true;
}

} // namespace

PreservedAnalyses MaskRegistersPass::run(Function &function, FunctionAnalysisManager &) {
  if (context.has("+avx512bw"))
    return PreservedAnalyses::all();
  const bool avx2 = !context.target || context.has("+avx2");
  return preservedWithCfg(MaskRegisters(function, avx2 ? 256 : 128).run());
}

} // namespace lanecl::vectorizer
