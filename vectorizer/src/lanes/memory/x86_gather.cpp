// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lanes/memory/x86_gather.h"

#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IntrinsicsX86.h"

#include <cassert>

using namespace llvm;

namespace lanecl::vectorizer::lanes {
namespace {

// Returns the gather of AVX2 for offsets and elements of these sizes.
Intrinsic::ID gatherAvx2(unsigned offset_bits, unsigned element_bits, unsigned lanes) {
  assert((lanes == 4 || (lanes == 8 && offset_bits == 32 && element_bits == 32)) && "one register");
  if (element_bits == 64)
    return offset_bits == 64 ? Intrinsic::x86_avx2_gather_q_q_256 : Intrinsic::x86_avx2_gather_d_q_256;
  if (offset_bits == 64)
    return Intrinsic::x86_avx2_gather_q_d_256;
  return lanes == 8 ? Intrinsic::x86_avx2_gather_d_d_256 : Intrinsic::x86_avx2_gather_d_d;
}

// Returns the gather of AVX-512 for offsets and elements of these sizes.
Intrinsic::ID gatherAvx512(unsigned offset_bits, unsigned element_bits, unsigned lanes) {
  assert((lanes == 8 || (lanes == 16 && offset_bits == 32 && element_bits == 32)) && "one register");
  if (element_bits == 64)
    return offset_bits == 64 ? Intrinsic::x86_avx512_mask_gather_qpq_512 : Intrinsic::x86_avx512_mask_gather_dpq_512;
  if (offset_bits == 64)
    return Intrinsic::x86_avx512_mask_gather_qpi_512;
  return lanes == 16 ? Intrinsic::x86_avx512_mask_gather_dpi_512 : Intrinsic::x86_avx512_mask_gather3siv8_si;
}

Value *part(IRBuilderBase &b, Value *v, unsigned first, unsigned count) {
  return b.CreateShuffleVector(v, createSequentialMask(first, count, 0));
}

Value *toIntegers(const LaneContext &c, Value *v, FixedVectorType *type) {
  return v->getType()->isPtrOrPtrVectorTy() ? c.b.CreatePtrToInt(v, type) : c.b.CreateBitCast(v, type);
}

unsigned bitsOf(Type *element) {
  return element->isPointerTy() ? 64 : element->getScalarSizeInBits();
}

} // namespace

bool hasGather(const LaneContext &c, Type *element) {
  const unsigned bits = bitsOf(element);
  return (bits == 32 || bits == 64) && ((c.target.level == IsaLevel::Avx2 && c.target.fast_gather) ||
                                        (c.target.level == IsaLevel::Avx512 && c.width >= 8));
}

Value *gatherX86(const LaneContext &c, Type *element, Value *base, Value *offset, unsigned scale, Value *mask,
                 Value *other) {
  assert(hasGather(c, element) && (scale == 1 || scale == 2 || scale == 4 || scale == 8) && "there is an instruction");
  assert(hasLanes(c, offset) && other->getType() == c.vectorOf(element) && "an offset and a value for each lane");
  const bool has_masks = c.target.level == IsaLevel::Avx512;
  const unsigned bits = bitsOf(element), offset_bits = offset->getType()->getScalarSizeInBits();
  const unsigned together = std::min(c.width, (has_masks ? 512 : 256) / std::max(bits, offset_bits));
  const Intrinsic::ID gather =
      has_masks ? gatherAvx512(offset_bits, bits, together) : gatherAvx2(offset_bits, bits, together);
  FixedVectorType *integers = c.vectorOf(c.b.getIntNTy(bits));
  Value *active = materializeMask(c, mask);
  if (!has_masks)
    active = c.b.CreateSExt(active, integers); // the instruction tests the sign bit of each lane
  Value *factor = has_masks ? c.b.getInt32(scale) : c.b.getInt8(uint8_t(scale));
  other = toIntegers(c, other, integers);
  base = c.b.CreateAddrSpaceCast(base, c.b.getPtrTy());

  // The wider one of offset and element decides how many lanes one instruction gathers.
  SmallVector<Value *, 16> parts;
  for (unsigned first = 0; first < c.width; first += together) {
    CallInst *call =
        c.b.CreateIntrinsic(gather, {part(c.b, other, first, together), base, part(c.b, offset, first, together),
                                     part(c.b, active, first, together), factor});
    call->addFnAttr(Attribute::WillReturn);
    parts.push_back(call);
  }
  Value *v = concatenateVectors(c.b, parts);
  return element->isPointerTy() ? c.b.CreateIntToPtr(v, c.vectorOf(element))
                                : c.b.CreateBitCast(v, c.vectorOf(element));
}

} // namespace lanecl::vectorizer::lanes
