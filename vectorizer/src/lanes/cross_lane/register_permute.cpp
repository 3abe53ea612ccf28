// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lanes/cross_lane/register_permute.h"

#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/MathExtras.h"

#include <cassert>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace lanecl::vectorizer::lanes {
namespace {

constexpr unsigned kPshufbBits = 128; // pshufb permutes within 16 bytes

unsigned lanesOf(Value *v) {
  return cast<FixedVectorType>(v->getType())->getNumElements();
}

// Returns the elements [first, first + count) of v. Elements past the end of v are poison.
Value *slice(IRBuilderBase &b, Value *v, unsigned first, unsigned count) {
  const unsigned available = lanesOf(v);
  if (first == 0 && count == available)
    return v;
  SmallVector<int, 64> shuffle(count, PoisonMaskElem);
  for (unsigned lane = 0; lane < count && first + lane < available; ++lane)
    shuffle[lane] = int(first + lane);
  return b.CreateShuffleVector(v, shuffle);
}

// Returns x if v is `x & mask` and the mask keeps all of `bits`: an instruction that uses only these bits does not need
// the masking. Otherwise returns v.
Value *withoutMask(Value *v, uint64_t bits) {
  Value *masked = nullptr;
  const APInt *mask = nullptr;
  return match(v, m_And(m_Value(masked), m_APInt(mask))) && (mask->getZExtValue() & bits) == bits ? masked : v;
}

// Chooses one of three intrinsics, for registers of 128, 256 and 512 bits.
Intrinsic::ID bySize(unsigned register_bits, Intrinsic::ID x, Intrinsic::ID y, Intrinsic::ID z) {
  assert((register_bits == 128 || register_bits == 256 || register_bits == 512) && "one register");
  return register_bits == 128 ? x : register_bits == 256 ? y : z;
}

// Returns the permute of one register with elements of `bits` bits, `size` bits in all.
Intrinsic::ID permuteIntrinsic(unsigned bits, unsigned size) {
  assert((bits < 32 || size == 256 || size == 512) && "there is no permute of 128 bits for these elements");
  switch (bits) {
  case 8:
    return bySize(size, Intrinsic::x86_avx512_permvar_qi_128, Intrinsic::x86_avx512_permvar_qi_256,
                  Intrinsic::x86_avx512_permvar_qi_512);
  case 16:
    return bySize(size, Intrinsic::x86_avx512_permvar_hi_128, Intrinsic::x86_avx512_permvar_hi_256,
                  Intrinsic::x86_avx512_permvar_hi_512);
  case 32: return size == 256 ? Intrinsic::x86_avx2_permd : Intrinsic::x86_avx512_permvar_si_512;
  default: return size == 256 ? Intrinsic::x86_avx512_permvar_di_256 : Intrinsic::x86_avx512_permvar_di_512;
  }
}

// Returns the permute of two registers, whose indices have one bit more.
Intrinsic::ID permuteTwoIntrinsic(unsigned bits, unsigned size) {
  switch (bits) {
  case 8:
    return bySize(size, Intrinsic::x86_avx512_vpermi2var_qi_128, Intrinsic::x86_avx512_vpermi2var_qi_256,
                  Intrinsic::x86_avx512_vpermi2var_qi_512);
  case 16:
    return bySize(size, Intrinsic::x86_avx512_vpermi2var_hi_128, Intrinsic::x86_avx512_vpermi2var_hi_256,
                  Intrinsic::x86_avx512_vpermi2var_hi_512);
  case 32:
    return bySize(size, Intrinsic::x86_avx512_vpermi2var_d_128, Intrinsic::x86_avx512_vpermi2var_d_256,
                  Intrinsic::x86_avx512_vpermi2var_d_512);
  default:
    return bySize(size, Intrinsic::x86_avx512_vpermi2var_q_128, Intrinsic::x86_avx512_vpermi2var_q_256,
                  Intrinsic::x86_avx512_vpermi2var_q_512);
  }
}

// Returns whether bytes are extended and permuted as 16-bit elements by vpermw. Without VBMI there is no byte permute;
// for more than 16 lanes the three instructions of this way beat a pshufb and a blend for every 16 bytes.
bool readsBytesAsWords(const LaneContext &c, unsigned bits, unsigned count) {
  return c.target.level == IsaLevel::Avx512 && !c.target.vbmi && bits == 8 && count > 16;
}

} // namespace

RegisterTable::RegisterTable(const LaneContext &c, Value *table)
    : c(c), bits(table->getType()->getScalarSizeInBits()), count(lanesOf(table)) {
  assert(table->getType()->isIntOrIntVectorTy() && isPowerOf2_32(bits) && bits >= 8 && bits <= 64 && "permutable");
  assert(isPowerOf2_32(count) && count >= 4 && count <= 128 && "indices are taken modulo the number of elements");
  if (readsBytesAsWords(c, bits, count)) {
    bits = 16;
    table = c.b.CreateZExt(table, FixedVectorType::get(c.b.getInt16Ty(), count));
  }
  chooseMethod();
  splitTable(table);
}

// Chooses the instruction, and how many elements of the table and how many indices it takes at once.
void RegisterTable::chooseMethod() {
  const unsigned byte_lanes = kPshufbBits / bits;
  switch (c.target.level) {
  case IsaLevel::Avx512:
    if (bits == 8 && !c.target.vbmi) {
      method = Method::Bytes;
      table_lanes = index_lanes = byte_lanes;
      return;
    }
    method = Method::Permute;
    // Elements of 32 and 64 bits have no 128-bit form. Short sub-groups use the short registers.
    table_lanes = std::clamp(c.width, (bits < 32 ? 128 : 256) / bits, 512 / bits);
    index_lanes = table_lanes;
    return;
  case IsaLevel::Avx2:
    method = bits < 32 ? Method::Bytes : Method::Dwords;
    table_lanes = (bits < 32 ? kPshufbBits : 256) / bits;
    // Both halves of a 32-byte pshufb read a copy of the same table.
    index_lanes = bits < 32 ? std::clamp(c.width, byte_lanes, 2 * byte_lanes) : table_lanes;
    return;
  case IsaLevel::Sse42:
    method = Method::Bytes;
    table_lanes = index_lanes = byte_lanes;
    return;
  }
  llvm_unreachable("every level has a method");
}

// Splits the table into registers. If an instruction takes more indices than table elements, as a 32-byte pshufb does,
// the elements are repeated for each of its halves.
void RegisterTable::splitTable(Value *table) {
  for (unsigned first = 0; first < count; first += table_lanes) {
    Value *part = slice(c.b, table, first, table_lanes);
    if (index_lanes != table_lanes) {
      SmallVector<int, 32> twice(index_lanes);
      for (unsigned lane = 0; lane < index_lanes; ++lane)
        twice[lane] = int(lane % table_lanes);
      part = c.b.CreateShuffleVector(part, twice);
    }
    tables.push_back(part);
  }
}

Value *RegisterTable::read(Value *index, bool in_range) {
  const unsigned wanted = lanesOf(index);
  assert(index->getType()->getScalarType()->isIntegerTy(32) && isPowerOf2_32(wanted) && "i32 indices");
  if (method != Method::Bytes && count >= table_lanes) // the instruction uses no other bits of an index
    index = withoutMask(index, count - 1);
  SmallVector<Value *, 16> parts;
  for (unsigned first = 0; first < wanted; first += index_lanes) {
    Value *part = slice(c.b, index, first, index_lanes);
    parts.push_back(lookUp(tables, part, controlOf(part, in_range)));
  }
  return slice(c.b, concatenateVectors(c.b, parts), 0, wanted);
}

Value *RegisterTable::readOne(Value *index, bool in_range) {
  assert(index->getType()->isIntegerTy(32) && "one index");
  Value *splat = c.b.CreateVectorSplat(index_lanes, index);
  return c.b.CreateExtractElement(lookUp(tables, splat, controlOf(splat, in_range)), uint64_t(0));
}

// Returns the index vector in the form that the permute instruction takes.
Value *RegisterTable::controlOf(Value *index, bool in_range) const {
  // Only pshufb uses index bits above those of the table. A table with fewer elements than its register (N <
  // table_lanes) has nothing from element N on, so there the indices are masked, too.
  const bool needs_mask = count < table_lanes || (method == Method::Bytes && (tables.size() > 1 || !in_range));
  if (needs_mask && !(in_range && tables.size() == 1))
    index = c.b.CreateAnd(index, ConstantInt::get(index->getType(), std::min(count, table_lanes) - 1));
  switch (method) {
  case Method::Permute: return c.b.CreateZExtOrTrunc(index, FixedVectorType::get(c.b.getIntNTy(bits), index_lanes));
  case Method::Dwords: return unitIndices(index, 32);
  case Method::Bytes: return unitIndices(index, 8);
  }
  llvm_unreachable("every method has a control");
}

// Converts indices of elements to indices of units, r units an element: i becomes r*i, r*i + 1, ..., r*i + r-1.
Value *RegisterTable::unitIndices(Value *index, unsigned unit_bits) const {
  assert(bits % unit_bits == 0 && "an element is whole units");
  const unsigned ratio = bits / unit_bits, units = ratio * index_lanes;
  index = c.b.CreateZExtOrTrunc(index, FixedVectorType::get(c.b.getIntNTy(bits), index_lanes));
  if (ratio == 1)
    return index;
  SmallVector<int, 64> low_unit(units);
  SmallVector<Constant *, 64> offsets(units);
  Type *unit = c.b.getIntNTy(unit_bits);
  for (unsigned i = 0; i < units; ++i) {
    low_unit[i] = int(i / ratio * ratio);
    offsets[i] = ConstantInt::get(unit, i % ratio);
  }
  Value *scaled = c.b.CreateShl(index, Log2_32(ratio));
  scaled = c.b.CreateShuffleVector(c.b.CreateBitCast(scaled, FixedVectorType::get(unit, units)), low_unit);
  return c.b.CreateAdd(scaled, ConstantVector::get(offsets));
}

// Reads a table of several registers: both halves of the list are read recursively, and one bit of the index blends the
// two results. The recursion ends where one instruction reads the rest.
Value *RegisterTable::lookUp(ArrayRef<Value *> part, Value *index, Value *control) const {
  if (part.size() == 1)
    return permuteOne(part[0], control);
  if (part.size() == 2 && method == Method::Permute)
    return permuteTwo(part[0], part[1], control);
  assert(isPowerOf2_64(part.size()) && "a bit of the index tells the halves apart");
  const size_t half = part.size() / 2;
  Value *low = lookUp(part.take_front(half), index, control);
  Value *high = lookUp(part.drop_front(half), index, control);
  return blend(index, Log2_32(table_lanes) + Log2_32(uint32_t(half)), low, high);
}

Value *RegisterTable::permuteOne(Value *table, Value *control) const {
  const unsigned size = bits * index_lanes;
  if (method == Method::Permute)
    return c.b.CreateIntrinsic(permuteIntrinsic(bits, size), {table, control});
  assert((size == 256 || (size == 128 && method == Method::Bytes)) && "one register");
  auto *units = cast<FixedVectorType>(control->getType());
  const Intrinsic::ID id = method == Method::Dwords ? Intrinsic::x86_avx2_permd
                           : size == 128            ? Intrinsic::x86_ssse3_pshuf_b_128
                                                    : Intrinsic::x86_avx2_pshuf_b;
  return c.b.CreateBitCast(c.b.CreateIntrinsic(id, {c.b.CreateBitCast(table, units), control}), table->getType());
}

Value *RegisterTable::permuteTwo(Value *low, Value *high, Value *control) const {
  return c.b.CreateIntrinsic(permuteTwoIntrinsic(bits, bits * index_lanes), {low, control, high});
}

// Selects between two elements by one bit of the index.
Value *RegisterTable::blend(Value *index, unsigned index_bit, Value *clear, Value *set) const {
  Type *type = index->getType();
  Constant *zero = Constant::getNullValue(type);
  if (c.target.level == IsaLevel::Avx512) { // LLVM makes one vptestm of these, which writes a mask register
    Value *bit = c.b.CreateAnd(index, ConstantInt::get(type, uint64_t(1) << index_bit));
    return c.b.CreateSelect(c.b.CreateICmpNE(bit, zero), set, clear);
  }
  assert(index_bit < bits && "the bit is in the element");
  // blendv tests the sign bit, so the index bit is shifted there, in elements as wide as the data.
  auto *wide = cast<FixedVectorType>(clear->getType());
  Value *sign = c.b.CreateShl(c.b.CreateZExtOrTrunc(index, wide), bits - 1 - index_bit);
  return c.b.CreateSelect(c.b.CreateICmpSLT(sign, Constant::getNullValue(wide)), set, clear);
}

} // namespace lanecl::vectorizer::lanes
