// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "optimize/vector/splat_permutes.h"

#include "pass_support/preserved.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Transforms/Utils/Local.h"

#include <cassert>
#include <optional>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace lanecl::vectorizer {

namespace {

unsigned laneCount(const Value *v) {
  return cast<FixedVectorType>(v->getType())->getNumElements();
}

// Describes a permute of whole registers, for which equal indices give equal elements. pshufb does not qualify, because
// it permutes each 16 bytes on their own.
struct Permute {
  unsigned index_operand, tables;
};

// Returns the description if the value is a call of such a permute.
std::optional<Permute> permuteOf(const Value *v) {
  const auto *call = dyn_cast<IntrinsicInst>(v);
  switch (call ? call->getIntrinsicID() : Intrinsic::not_intrinsic) {
  case Intrinsic::x86_avx2_permd:
  case Intrinsic::x86_avx512_permvar_hi_128:
  case Intrinsic::x86_avx512_permvar_hi_256:
  case Intrinsic::x86_avx512_permvar_hi_512:
  case Intrinsic::x86_avx512_permvar_qi_128:
  case Intrinsic::x86_avx512_permvar_qi_256:
  case Intrinsic::x86_avx512_permvar_qi_512:
  case Intrinsic::x86_avx512_permvar_si_512:
  case Intrinsic::x86_avx512_permvar_di_256:
  case Intrinsic::x86_avx512_permvar_di_512: return Permute{1, 1};
  case Intrinsic::x86_avx512_vpermi2var_d_256:
  case Intrinsic::x86_avx512_vpermi2var_d_512:
  case Intrinsic::x86_avx512_vpermi2var_q_256:
  case Intrinsic::x86_avx512_vpermi2var_q_512:
  case Intrinsic::x86_avx512_vpermi2var_hi_256:
  case Intrinsic::x86_avx512_vpermi2var_hi_512:
  case Intrinsic::x86_avx512_vpermi2var_qi_256:
  case Intrinsic::x86_avx512_vpermi2var_qi_512: return Permute{1, 2};
  default: return std::nullopt;
  }
}

// Returns whether the shuffle copies lane 0 to all lanes.
bool isFirstInAllLanes(const ShuffleVectorInst &shuffle) {
  return all_of(shuffle.getShuffleMask(), [](int lane) { return lane == 0; });
}

// Vectors with an index in all lanes. Permutes read only the lowest bits of an index, so the rest may differ.
class IndexSplats {
public:
  explicit IndexSplats(Function &function) : function(function) {}

  // Returns such a vector, of which the lowest `bits` bits count. Indices that differ by a constant share one copy from
  // the general registers, which takes longer than a vector addition.
  Value *of(Value *index, FixedVectorType *type, unsigned bits, IRBuilder<> &b) {
    assert(index->getType() == type->getElementType() && bits <= type->getScalarSizeInBits() &&
           "an index of the permute");
    Value *other;
    const APInt *number;
    if (match(index, m_And(m_Value(other), m_APInt(number))) && number->countr_one() >= bits)
      return of(other, type, bits, b);
    auto *operation = dyn_cast<BinaryOperator>(index);
    if (operation && match(operation, m_BinOp(m_Value(other), m_APInt(number))) && keepsLowBits(*operation) &&
        other->hasNUsesOrMore(2))
      return b.CreateBinOp(operation->getOpcode(), of(other, type, bits, b), ConstantInt::get(type, *number));
    return copied(index, type);
  }

private:
  // Returns whether the lowest bits of the result depend only on the lowest bits of the operands.
  static bool keepsLowBits(const BinaryOperator &operation) {
    switch (operation.getOpcode()) {
    case Instruction::Add:
    case Instruction::And:
    case Instruction::Or:
    case Instruction::Xor: return true;
    default: return false;
    }
  }

  // Copies the index where it is computed, so that a loop that does not change it does not copy it.
  Value *copied(Value *index, FixedVectorType *type) {
    WeakVH &splat = splats[{index, type}];
    if (!splat) {
      IRBuilder<> b(index->getContext());
      if (auto *instruction = dyn_cast<Instruction>(index))
        b.SetInsertPoint(*instruction->getInsertionPointAfterDef());
      else
        b.SetInsertPoint(function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
      splat = b.CreateVectorSplat(type->getNumElements(), index);
    }
    return splat;
  }

  Function &function;
  DenseMap<std::pair<Value *, Type *>, WeakVH> splats;
};

// Computes vectors all of whose lanes are equal to lane 0 of another vector.
class Splats {
public:
  Splats(Instruction &before, IndexSplats &indices) : b(&before), indices(indices) {}

  // Returns the splat of lane 0 of v. Returns null where it takes more than other operands for the same instructions.
  Value *of(Value *v, unsigned depth = 0) {
    if (auto *constant = dyn_cast<Constant>(v))
      return splatOf(*constant);
    auto *instruction = dyn_cast<Instruction>(v);
    if (!instruction || depth > kDepth)
      return nullptr;
    Value *scalar;
    if (match(instruction, m_InsertElt(m_Value(), m_Value(scalar), m_ZeroInt())))
      return b.CreateVectorSplat(laneCount(v), scalar);
    if (auto *shuffle = dyn_cast<ShuffleVectorInst>(instruction))
      return isFirstInAllLanes(*shuffle) ? v : nullptr;
    if (permuteOf(instruction))
      return ofPermute(cast<CallInst>(*instruction), depth);
    return isLaneWise(*instruction) ? rebuilt(*instruction, depth) : nullptr;
  }

private:
  static constexpr unsigned kDepth = 6;

  Value *splatOf(Constant &constant) {
    Constant *first = constant.getAggregateElement(0U);
    return first ? ConstantVector::getSplat(ElementCount::getFixed(laneCount(&constant)), first) : nullptr;
  }

  // Splats the permute's index instead of its result.
  Value *ofPermute(CallInst &call, unsigned depth) {
    const auto [operand, tables] = *permuteOf(&call);
    Value *index = call.getArgOperand(operand), *scalar;
    auto *type = cast<FixedVectorType>(index->getType());
    Value *splat = match(index, m_InsertElt(m_Value(), m_Value(scalar), m_ZeroInt()))
                       ? indices.of(scalar, type, Log2_32(tables * type->getNumElements()), b)
                       : of(index, depth + 1);
    if (!splat || splat == index)
      return splat ? &call : nullptr;
    Instruction *copy = b.Insert(call.clone());
    copy->setOperand(operand, splat);
    return copy;
  }

  static bool isLaneWise(const Instruction &instruction) {
    if (const auto *cast = dyn_cast<CastInst>(&instruction))
      return cast->getSrcTy()->isVectorTy() && laneCount(cast->getOperand(0)) == laneCount(cast);
    return isa<SelectInst, CmpInst>(instruction) ||
           (isa<BinaryOperator>(instruction) && !instruction.isIntDivRem() && !instruction.isFPDivRem());
  }

  // Rebuilds an instruction that works lane by lane from splats of its operands.
  Value *rebuilt(Instruction &instruction, unsigned depth) {
    SmallVector<Value *, 3> operands;
    for (Value *operand : instruction.operands()) {
      operands.push_back(operand->getType()->isVectorTy() ? of(operand, depth + 1) : operand);
      if (!operands.back())
        return nullptr;
    }
    if (isa<SelectInst>(instruction))
      if (Value *permuted = permutedChoice(operands[0], operands[1], operands[2]))
        return permuted;
    if (equal(operands, instruction.operand_values()))
      return &instruction;
    Instruction *copy = b.Insert(instruction.clone());
    for (const auto &[i, operand] : enumerate(operands))
      copy->setOperand(unsigned(i), operand);
    return copy;
  }

  // Chooses before the permute if both values are the same lane of two vectors: all lanes choose alike, so one permute
  // of the chosen vector is enough.
  Value *permutedChoice(Value *condition, Value *x, Value *y) {
    const std::optional<Permute> of_x = permuteOf(x), of_y = permuteOf(y);
    if (!of_x || !of_y || of_x->tables != 1 || of_y->tables != 1)
      return nullptr;
    auto &permute_x = cast<CallInst>(*x), &permute_y = cast<CallInst>(*y);
    const unsigned index = of_x->index_operand, table = 1 - index;
    if (permute_x.getIntrinsicID() != permute_y.getIntrinsicID() ||
        permute_x.getArgOperand(index) != permute_y.getArgOperand(index))
      return nullptr;
    Value *chosen = b.CreateSelect(condition, permute_x.getArgOperand(table), permute_y.getArgOperand(table));
    Instruction *permute = b.Insert(permute_x.clone());
    permute->setOperand(table, chosen);
    return permute;
  }

  IRBuilder<> b;
  IndexSplats &indices;
};

// Returns whether the element results from permutes, through casts and selects.
bool comesFromPermute(const Value *v, unsigned depth = 0) {
  if (permuteOf(v))
    return true;
  const auto *instruction = dyn_cast<Instruction>(v);
  return depth < 3 && instruction && isa<CastInst, SelectInst>(instruction) &&
         any_of(
             instruction->operands(),
             [&](const Use &operand) {
               return operand->getType()->isVectorTy() && comesFromPermute(operand, depth + 1);
             });
}

// Replaces the shuffle that copies lane 0 to all lanes. Returns whether the function changed.
bool splatIndexInstead(ShuffleVectorInst &shuffle, IndexSplats &indices) {
  Value *source = shuffle.getOperand(0);
  if (!source->hasOneUse() || !isFirstInAllLanes(shuffle) || !comesFromPermute(source))
    return false;
  Value *splat = Splats(shuffle, indices).of(source);
  if (!splat)
    return true; // copies may have been made already; nothing uses them, and no code is generated for them
  if (splat->getType() != shuffle.getType()) { // the same register, repeated as often as needed
    SmallVector<int, 64> lanes(laneCount(&shuffle));
    for (const auto &[i, lane] : enumerate(lanes))
      lane = int(i % laneCount(splat));
    splat = IRBuilder<>(&shuffle).CreateShuffleVector(splat, lanes);
  }
  shuffle.replaceAllUsesWith(splat);
  RecursivelyDeleteTriviallyDeadInstructions(&shuffle);
  return true;
}

} // namespace

// Shuffles are collected first, because replacing one of them may erase others.
PreservedAnalyses SplatPermutesPass::run(Function &function, FunctionAnalysisManager &) {
  SmallVector<WeakVH, 16> shuffles;
  for (Instruction &instruction : instructions(function))
    if (isa<ShuffleVectorInst>(instruction))
      shuffles.emplace_back(&instruction);
  IndexSplats indices(function);
  bool changed = false;
  for (const WeakVH &shuffle : shuffles)
    if (auto *alive = dyn_cast_or_null<ShuffleVectorInst>(static_cast<Value *>(shuffle)))
      changed |= splatIndexInstead(*alive, indices);
  return preservedWithCfg(changed);
}

} // namespace lanecl::vectorizer
