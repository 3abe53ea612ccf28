// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "kernel/rows/linear_forms.h"

#include "vectorizer/vectorizer.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

#include <cassert>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace lanecl::vectorizer {

// Returns whether the value is this query along the axis, possibly extended or truncated.
bool LinearForms::isOfAxis(Value &value, Primitive primitive) const {
  Value *source = &value;
  while (isa<TruncInst, ZExtInst, SExtInst>(source))
    source = cast<CastInst>(source)->getOperand(0);
  const auto *call = dyn_cast<CallBase>(source);
  return call && primitiveOf(*call) == primitive && dimensionOf(*call) == axis;
}

// Returns whether the instruction computes the first work-item of this row as LaunchQueries::globalId does. There a
// mask shows that rows are whole units; LLVM may have cleared mask bits that are zero in the product anyway.
bool LinearForms::isRowsBefore(Instruction &op) const {
  Value *product = &op, *a = nullptr, *b = nullptr;
  const APInt *kept = nullptr;
  if (match(&op, m_And(m_Value(product), m_APInt(kept)))) {
    const APInt units(kept->getBitWidth(), -int64_t{LaunchClass::kRowUnit}, /*isSigned=*/true);
    if (!units.isSubsetOf(*kept | computeKnownBits(product, op.getDataLayout()).Zero))
      return false;
  }
  if (!match(product, m_Mul(m_Value(a), m_Value(b))))
    return false;
  if (isOfAxis(*b, Primitive::GroupId))
    std::swap(a, b);
  return isOfAxis(*a, Primitive::GroupId) && isOfAxis(*b, Primitive::EnqueuedLocalSize);
}

// Returns the form of a query; nothing for primitives that are no queries of the launch.
MaybeLinear LinearForms::ofQuery(const CallBase &call) const {
  const std::optional<Primitive> primitive = primitiveOf(call);
  if (!primitive)
    return std::nullopt;
  switch (*primitive) {
  case Primitive::LaneId: return Linear{1, 0, 0};
  case Primitive::SubGroupId: return Linear{0, 1, 0};
  case Primitive::GroupId:
    if (axis && dimensionOf(call) == axis) // only as a factor of the preceding rows (isRowsBefore)
      return std::nullopt;
    return Linear{};
  case Primitive::NumGroups:
  case Primitive::LocalSize:
  case Primitive::EnqueuedLocalSize:
  case Primitive::GlobalSize:
  case Primitive::GlobalOffset:
  case Primitive::WorkDim: return Linear{};
  default: return std::nullopt;
  }
}

// Calls of arithmetic intrinsics are shared if all their arguments are.
MaybeLinear LinearForms::ofCall(CallBase &call, unsigned depth) {
  if (primitiveOf(call))
    return ofQuery(call);
  const bool is_arithmetic = isa<IntrinsicInst>(call) && call.doesNotAccessMemory() && !call.isConvergent();
  const bool is_shared = is_arithmetic && all_of(call.args(), [&](const Use &argument) {
                           const MaybeLinear form = of(*argument, depth + 1);
                           return form && form->isShared();
                         });
  return is_shared ? MaybeLinear(Linear{}) : std::nullopt;
}

// A non-negative number that rises with lane, sub-group and rows keeps its form when it is extended.
MaybeLinear LinearForms::ofExtension(CastInst &cast, unsigned depth) {
  const MaybeLinear narrow = of(*cast.getOperand(0), depth + 1);
  if (!narrow || narrow->isShared())
    return narrow;
  // In less than 32 bits the numbers of one row may wrap around.
  const bool is_rising =
      narrow->lane >= 0 && narrow->sub_group >= 0 && narrow->rows >= 0 && cast.getSrcTy()->getScalarSizeInBits() >= 32;
  const bool is_not_negative =
      (isa<ZExtInst>(cast) && cast.hasNonNeg()) || isKnownNonNegative(cast.getOperand(0), cast.getDataLayout());
  return is_rising && is_not_negative ? narrow : std::nullopt;
}

// Returns the form of arithmetic: sums of forms, forms scaled by small constants, and anything of shared operands.
MaybeLinear LinearForms::ofOperation(Instruction &op, unsigned depth) {
  if (axis && isRowsBefore(op))
    return Linear{0, 0, 1};
  SmallVector<Linear, 2> operands;
  for (Value *operand : op.operands()) {
    const MaybeLinear form = of(*operand, depth + 1);
    if (!form)
      return std::nullopt;
    operands.push_back(*form);
  }
  if (all_of(operands, [](const Linear &form) { return form.isShared(); }))
    return Linear{};
  constexpr int64_t kMost = int64_t{1} << 31; // the range of ids within a row
  assert(!operands.empty() && "an operation without operands is shared");
  // Returns the first operand's form times `factor`; nothing for very large forms, whose product could overflow.
  const auto scaled = [&](int64_t factor) -> MaybeLinear {
    const auto [lane, sub_group, rows] = operands[0];
    if (std::max({std::abs(lane), std::abs(sub_group), std::abs(rows)}) > kMost)
      return std::nullopt;
    return Linear{lane * factor, sub_group * factor, rows * factor};
  };
  const APInt *constant = nullptr;
  if (match(&op, m_Add(m_Value(), m_Value())) || match(&op, m_DisjointOr(m_Value(), m_Value())))
    return Linear{operands[0].lane + operands[1].lane, operands[0].sub_group + operands[1].sub_group,
                  operands[0].rows + operands[1].rows};
  if (match(&op, m_Shl(m_Value(), m_APInt(constant))) && constant->ult(16))
    return scaled(int64_t{1} << constant->getZExtValue());
  if (match(&op, m_Mul(m_Value(), m_APInt(constant))) && constant->ult(1U << 16))
    return scaled(constant->getSExtValue());
  return std::nullopt;
}

// Returns the form by the kind of value.
MaybeLinear LinearForms::of(Value &value, unsigned depth) {
  constexpr unsigned kDeepest = 12;
  if (isa<Constant, Argument>(value))
    return Linear{};
  auto *instruction = dyn_cast<Instruction>(&value);
  if (!instruction || depth > kDeepest)
    return std::nullopt;
  if (auto *call = dyn_cast<CallBase>(instruction))
    return ofCall(*call, depth);
  if (const auto *load = dyn_cast<LoadInst>(instruction)) {
    Value &address = *load->getOperand(0)->stripInBoundsConstantOffsets();
    const MaybeLinear form = is_shared_load(*load) ? of(address, depth + 1) : std::nullopt;
    return form && form->isShared() ? form : std::nullopt;
  }
  if (isa<TruncInst>(instruction))
    return of(*instruction->getOperand(0), depth + 1);
  if (isa<ZExtInst, SExtInst>(instruction))
    return ofExtension(cast<CastInst>(*instruction), depth);
  if (isa<BinaryOperator, UnaryOperator, CmpInst, SelectInst, CastInst, GetElementPtrInst, FreezeInst>(instruction))
    return ofOperation(*instruction, depth);
  return std::nullopt;
}

} // namespace lanecl::vectorizer
