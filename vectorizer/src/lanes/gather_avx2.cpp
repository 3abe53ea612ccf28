#include "gather_avx2.h"

#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IntrinsicsX86.h"

using namespace llvm;

namespace lanecl::vectorizer::lanes {
namespace {

Intrinsic::ID gatherIntrinsic(unsigned offset_bits, unsigned element_bits, unsigned lanes) {
  if (element_bits == 64)
    return offset_bits == 64 ? Intrinsic::x86_avx2_gather_q_q_256 : Intrinsic::x86_avx2_gather_d_q_256;
  if (offset_bits == 64)
    return Intrinsic::x86_avx2_gather_q_d_256;
  return lanes == 8 ? Intrinsic::x86_avx2_gather_d_d_256 : Intrinsic::x86_avx2_gather_d_d;
}

Value *part(IRBuilderBase &b, Value *v, unsigned first, unsigned count) {
  return b.CreateShuffleVector(v, createSequentialMask(first, count, 0));
}

Value *toIntegers(const LaneContext &c, Value *v, FixedVectorType *type) {
  return v->getType()->isPtrOrPtrVectorTy() ? c.b.CreatePtrToInt(v, type) : c.b.CreateBitCast(v, type);
}

} // namespace

Value *gatherAvx2(const LaneContext &c, Type *element, Value *base, Value *offset, unsigned scale, Value *mask,
                  Value *other) {
  const bool pointers = element->isPointerTy();
  const unsigned bits = pointers ? 64 : element->getScalarSizeInBits();
  const unsigned offset_bits = offset->getType()->getScalarSizeInBits();
  const unsigned together = std::min(c.width, 256 / std::max(bits, offset_bits));
  FixedVectorType *integers = c.vectorOf(c.b.getIntNTy(bits));
  Value *active = c.b.CreateSExt(materializeMask(c, mask), integers); // the sign bit says whether a lane is active
  other = toIntegers(c, other, integers);
  base = c.b.CreateAddrSpaceCast(base, c.b.getPtrTy());

  SmallVector<Value *, 16> parts;
  for (unsigned first = 0; first < c.width; first += together)
    parts.push_back(c.b.CreateIntrinsic(gatherIntrinsic(offset_bits, bits, together),
                                        {part(c.b, other, first, together), base, part(c.b, offset, first, together),
                                         part(c.b, active, first, together), c.b.getInt8(uint8_t(scale))}));
  Value *v = concatenateVectors(c.b, parts);
  return pointers ? c.b.CreateIntToPtr(v, c.vectorOf(element)) : c.b.CreateBitCast(v, c.vectorOf(element));
}

} // namespace lanecl::vectorizer::lanes
