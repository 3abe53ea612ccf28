// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Matrices that are distributed over the lanes, and their rows in memory.
#include "widen/widener.h"

#include "lanes/arithmetic/matrix_multiply.h"
#include "lanes/memory/memory.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/VectorUtils.h"

#include <cassert>

using namespace llvm;

namespace lanecl::vectorizer {

using lanes::MatrixElement;

// Returns the element type that a name such as "u8_i8" contains.
static MatrixElement elementNamed(StringRef name) {
  return StringSwitch<MatrixElement>(name)
      .Case("i8", MatrixElement::I8)
      .Case("u8", MatrixElement::U8)
      .Case("i4", MatrixElement::I4)
      .Case("u4", MatrixElement::U4)
      .Case("bf16", MatrixElement::Bf16)
      .Case("f16", MatrixElement::F16)
      .Case("tf32", MatrixElement::Tf32);
}

// Returns the rows of a matrix as vectors of 32-bit words. The values of one component in all lanes, in lane order, are
// one row or several.
Widener::Values Widener::matrixRows(Value *matrix) {
  Values rows;
  for (Value *component : lanesOf(matrix)) {
    const unsigned dwords = options.width * component->getType()->getScalarSizeInBits() / 32;
    assert(dwords % lanes::kMatrixDwords == 0 && "a component of all lanes is whole rows");
    Value *all = b.CreateBitCast(lanes::defined(c, component), FixedVectorType::get(b.getInt32Ty(), dwords));
    for (unsigned first = 0; first < dwords; first += lanes::kMatrixDwords)
      rows.push_back(b.CreateShuffleVector(all, createSequentialMask(first, lanes::kMatrixDwords, 0)));
  }
  return rows;
}

void Widener::widenMatrixMultiply(CallBase &call) {
  const auto [left, right] = typesInName(call).split('_');
  Values rows = matrixRows(call.getArgOperand(0)), sums = lanesOf(call.getArgOperand(2)), columns;
  for (Value *column : lanesOf(call.getArgOperand(1)))
    columns.push_back(b.CreateBitCast(column, c.vectorOf(b.getInt32Ty())));
  rows.truncate(sums.size()); // the rest of the last component belongs to no row
  lanes::emitMatrixMultiplyAdd(c, elementNamed(left), elementNamed(right), rows, columns, sums);
  setResult(call, std::move(sums));
  remarkOnOperation(call, "matrix multiplication: splats of the rows and dot products");
}

// Returns the mask of the active lanes among first .. end-1, or null if all lanes are active.
Value *Widener::rowMask(Value *first, Value *end) {
  const auto splat = [&](Value *v) { return b.CreateVectorSplat(options.width, v); };
  Value *inside = b.CreateICmpULT(b.CreateSub(lanes::laneIds(c), splat(first)), splat(b.CreateSub(end, first)));
  if (lanes::isFullMask(inside))
    return mask;
  return mask == nullptr ? inside : b.CreateLogicalAnd(mask, inside);
}

// Returns the address of the row for lane 0. The pointer is that of lane `first`, and lane 0 itself may be outside.
static Value *rowStart(IRBuilderBase &b, Type *element, Value *pointer, Value *first) {
  return b.CreateGEP(element, pointer, b.CreateNeg(b.CreateZExt(first, b.getInt64Ty())));
}

void Widener::widenRowRead(CallBase &call) {
  Value *first = anyActiveLane(call.getArgOperand(1)), *end = anyActiveLane(call.getArgOperand(2));
  Value *pointer = rowStart(b, call.getType(), anyActiveLane(call.getArgOperand(0)), first);
  const Align align(layout.getTypeStoreSize(call.getType()).getFixedValue());
  setResult(call, {lanes::emitLoadConsecutive(c, call.getType(), pointer, rowMask(first, end), align)});
}

void Widener::widenRowWrite(CallBase &call) {
  Value *first = anyActiveLane(call.getArgOperand(1)), *end = anyActiveLane(call.getArgOperand(2));
  Type *element = call.getArgOperand(3)->getType();
  Value *pointer = rowStart(b, element, anyActiveLane(call.getArgOperand(0)), first);
  const Align align(layout.getTypeStoreSize(element).getFixedValue());
  lanes::emitStoreConsecutive(c, laneOf(call.getArgOperand(3)), pointer, rowMask(first, end), align);
}

} // namespace lanecl::vectorizer
