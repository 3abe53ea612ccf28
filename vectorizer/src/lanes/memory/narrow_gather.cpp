// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lanes/memory/narrow_gather.h"

#include "lanes/memory/x86_gather.h"

#include <cassert>

using namespace llvm;

namespace lanecl::vectorizer::lanes {
namespace {

constexpr unsigned kUnitBytes = 4;

// Says where a lane's element is: `byte` bytes into the aligned unit at base + offset * scale.
struct UnitAddress {
  Value *base, *offset;
  unsigned scale;
  Value *byte;
};

// Splits the address base + offset * scale. The base is rounded down to a unit, and the bytes cut off (`rest`) are
// added to the offset. Their sum may overflow the offset's type, so whole units are counted instead, which cannot. If
// the scale does not divide the rest, which happens for bytes only, the remainder is added to the byte's number.
UnitAddress unitAddress(const LaneContext &c, Value *base, Value *offset, unsigned scale, bool is_bytes) {
  assert(isPowerOf2_32(scale) && "the scale divides a unit or is whole units");
  IRBuilderBase &b = c.b;
  Type *type = offset->getType();
  const auto number = [&](uint64_t value) { return ConstantInt::get(type, value); };
  Value *rest = b.CreateAnd(b.CreatePtrToInt(base, b.getInt64Ty()), b.getInt64(kUnitBytes - 1));
  Value *aligned = b.CreatePtrAdd(base, b.CreateNeg(rest));
  rest = b.CreateVectorSplat(c.width, b.CreateTrunc(rest, type->getScalarType()));
  if (scale >= kUnitBytes)
    return {aligned, offset, scale, rest};
  const unsigned shift = Log2_32(kUnitBytes / scale);
  Constant *within = number(kUnitBytes / scale - 1);
  Value *steps = b.CreateAdd(b.CreateAnd(offset, within), b.CreateUDiv(rest, number(scale)));
  Value *units = b.CreateAdd(b.CreateAShr(offset, number(shift)), b.CreateLShr(steps, number(shift)));
  Value *byte = b.CreateMul(b.CreateAnd(steps, within), number(scale));
  if (is_bytes && scale > 1)
    byte = b.CreateAdd(byte, b.CreateAnd(rest, number(scale - 1)));
  return {aligned, units, kUnitBytes, byte};
}

} // namespace

bool hasNarrowGather(const LaneContext &c, Type *element, Align align) {
  const unsigned bits = element->getScalarSizeInBits();
  return (bits == 8 || (bits == 16 && align >= 2)) && hasGather(c, c.b.getInt32Ty());
}

Value *gatherNarrow(const LaneContext &c, Type *element, Value *base, Value *offset, unsigned scale, Value *mask,
                    Value *passthrough) {
  assert((element->getScalarSizeInBits() == 8 || element->getScalarSizeInBits() == 16) && "narrower than a unit");
  Type *unit = c.b.getInt32Ty();
  FixedVectorType *units = c.vectorOf(unit), *type = c.vectorOf(element);
  const UnitAddress at = unitAddress(c, base, offset, scale, element->isIntegerTy(8));
  Value *v = gatherX86(c, unit, at.base, at.offset, at.scale, mask, Constant::getNullValue(units));
  v = c.b.CreateLShr(v, c.b.CreateShl(c.b.CreateZExtOrTrunc(at.byte, units), ConstantInt::get(units, 3)));
  v = c.b.CreateTrunc(v, c.vectorOf(c.b.getIntNTy(element->getScalarSizeInBits())));
  v = c.b.CreateBitCast(v, type);
  return passthrough && !isFullMask(mask) ? c.b.CreateSelect(mask, v, passthrough) : v;
}

} // namespace lanecl::vectorizer::lanes
