// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lanes/arithmetic/matrix_multiply.h"

#include "lanes/loop.h"

#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IntrinsicsX86.h"

#include <cassert>
#include <functional>

using namespace llvm;

namespace lanecl::vectorizer::lanes {
namespace {

// The vectors into which one vector of dwords is unpacked. Factor i of the left side is multiplied by factor i of the
// right side, one instruction for each pair.
using Factors = SmallVector<Value *, 4>;

// How the elements of two types are multiplied: dwords of each side are unpacked into factors, and one instruction
// multiplies a left factor by a right one and adds the products to a sum.
struct Method {
  std::function<Factors(Value *)> left, right; // unpack a vector of dwords
  // Multiplies two factors and adds them to the sum.
  std::function<Value *(Value *sum, Value *left, Value *right)> multiply_add;
  Constant *bias = nullptr; // how much larger a dword's elements are in a left factor; null: 0
};

// Chooses the method for the element types of both sides and the processor's instructions.
class MethodBuilder {
public:
  MethodBuilder(const LaneContext &c, MatrixElement left, MatrixElement right)
      : c(c), b(c.b), left_element(left), right_element(right) {}

  Method build() const {
    switch (left_element) {
    case MatrixElement::Bf16:
    case MatrixElement::F16:
    case MatrixElement::Tf32: return floats();
    default: return c.target.vnni ? bytes() : words();
    }
  }

  static unsigned bitsOf(MatrixElement element) {
    switch (element) {
    case MatrixElement::I4:
    case MatrixElement::U4: return 4;
    case MatrixElement::I8:
    case MatrixElement::U8: return 8;
    case MatrixElement::Bf16:
    case MatrixElement::F16: return 16;
    case MatrixElement::Tf32: return 32;
    }
    llvm_unreachable("every element has a size");
  }

private:
  static bool isSigned(MatrixElement element) { return element == MatrixElement::I8 || element == MatrixElement::I4; }
  bool areNibbles() const { return left_element == MatrixElement::I4 || left_element == MatrixElement::U4; }

  // Returns the same bits as a vector of `element`.
  Value *as(Value *dwords, Type *element) const {
    const unsigned bits = unsigned(dwords->getType()->getPrimitiveSizeInBits().getFixedValue());
    return b.CreateBitCast(dwords, FixedVectorType::get(element, bits / element->getScalarSizeInBits()));
  }

  // Widens each element to a byte: nibbles give two factors, bytes are left as they are.
  Factors toBytes(Value *dwords, bool is_signed) const {
    if (!areNibbles())
      return {dwords};
    Factors factors;
    for (unsigned shift : {0, 4}) {
      Value *nibbles = b.CreateAnd(b.CreateLShr(dwords, shift), 0x0f0f0f0f);
      Value *bytes = as(nibbles, b.getInt8Ty());
      if (is_signed)
        bytes = b.CreateSub(b.CreateXor(bytes, 8), ConstantInt::get(bytes->getType(), 8));
      factors.push_back(as(bytes, b.getInt32Ty()));
    }
    return factors;
  }

  // Widens each element to 16 bits: nibbles give four factors, bytes two.
  Factors toWords(Value *dwords, bool is_signed) const {
    const unsigned bits = areNibbles() ? 4 : 8;
    Factors factors;
    for (unsigned first = 0; first < 16; first += bits) {
      Value *top = b.CreateShl(as(dwords, b.getInt16Ty()), 16 - bits - first);
      Value *words = is_signed ? b.CreateAShr(top, 16 - bits) : b.CreateLShr(top, 16 - bits);
      factors.push_back(as(words, b.getInt32Ty()));
    }
    return factors;
  }

  // Converts each element to float: tf32 gives one factor, bf16 and f16 give two.
  Factors toFloats(Value *dwords) const {
    switch (left_element) {
    case MatrixElement::Tf32: return {as(b.CreateAnd(dwords, 0xffffe000), b.getFloatTy())};
    case MatrixElement::Bf16:
      return {as(b.CreateShl(dwords, 16), b.getFloatTy()), as(b.CreateAnd(dwords, 0xffff0000), b.getFloatTy())};
    default: {
      assert(left_element == MatrixElement::F16 && "elements of other types are integers");
      auto *type = cast<VectorType>(dwords->getType());
      Factors factors;
      for (unsigned shift : {0, 16}) {
        Value *bits = b.CreateTrunc(b.CreateLShr(dwords, shift), VectorType::get(b.getInt16Ty(), type));
        factors.push_back(b.CreateFPExt(as(bits, b.getHalfTy()), VectorType::get(b.getFloatTy(), type)));
      }
      return factors;
    }
    }
  }

  // Multiplies bytes by vpdpbusd, unsigned ones by signed ones. Unsigned nibbles also serve as signed bytes, because
  // they are at most 15. Where both sides have the same signedness, the left side's is changed by flipping the sign bit
  // of each element, which adds the weight of that bit. The excess in the sum is the bias times the right factor; it is
  // summed on its own and subtracted at the end.
  Method bytes() const {
    const bool nibbles = areNibbles(), fits = !isSigned(left_element) && (isSigned(right_element) || nibbles),
               fits_swapped = !isSigned(right_element) && (isSigned(left_element) || nibbles);
    Method method;
    method.right = [=, this](Value *dwords) { return toBytes(dwords, isSigned(right_element)); };
    method.multiply_add = [=, this](Value *sum, Value *left, Value *right) {
      return fits || isSigned(right_element) ? dotBytes(sum, left, right) : dotBytes(sum, right, left);
    };
    if (fits || fits_swapped) {
      method.left = [=, this](Value *dwords) { return toBytes(dwords, isSigned(left_element)); };
      return method;
    }
    method.left = [=, this](Value *dwords) {
      return toBytes(b.CreateXor(dwords, nibbles ? 0x88888888 : 0x80808080), false);
    };
    method.bias = b.getInt32(nibbles ? 0x08080808 : 0x80808080);
    return method;
  }

  Value *dotBytes(Value *sum, Value *unsigned_bytes, Value *signed_bytes) const {
    const Intrinsic::ID id = sizedIntrinsic(sum, Intrinsic::x86_avx512_vpdpbusd_128, Intrinsic::x86_avx512_vpdpbusd_256,
                                            Intrinsic::x86_avx512_vpdpbusd_512);
    return b.CreateIntrinsic(id, {sum, as(unsigned_bytes, b.getInt8Ty()), as(signed_bytes, b.getInt8Ty())});
  }

  // Multiplies 16-bit elements by vpmaddwd, which adds the products of two neighbors.
  Method words() const {
    Method method;
    method.left = [this](Value *dwords) { return toWords(dwords, isSigned(left_element)); };
    method.right = [this](Value *dwords) { return toWords(dwords, isSigned(right_element)); };
    method.multiply_add = [this](Value *sum, Value *left, Value *right) {
      const Intrinsic::ID id = sizedIntrinsic(sum, Intrinsic::x86_sse2_pmadd_wd, Intrinsic::x86_avx2_pmadd_wd,
                                              Intrinsic::x86_avx512_pmaddw_d_512);
      return b.CreateAdd(sum, b.CreateIntrinsic(id, {as(left, b.getInt16Ty()), as(right, b.getInt16Ty())}));
    };
    return method;
  }

  // Multiplies floats by fma, one element of k at a time.
  Method floats() const {
    Method method;
    method.left = method.right = [this](Value *dwords) { return toFloats(dwords); };
    method.multiply_add = [this](Value *sum, Value *left, Value *right) {
      return b.CreateIntrinsic(Intrinsic::fma, {sum->getType()}, {left, right, sum});
    };
    return method;
  }

  static Intrinsic::ID sizedIntrinsic(const Value *sum, Intrinsic::ID of128, Intrinsic::ID of256, Intrinsic::ID of512) {
    const unsigned lanes = cast<FixedVectorType>(sum->getType())->getNumElements();
    assert((lanes == 4 || lanes == 8 || lanes == 16) && "one register of dwords");
    return lanes == 4 ? of128 : lanes == 8 ? of256 : of512;
  }

  const LaneContext &c;
  IRBuilderBase &b;
  const MatrixElement left_element, right_element;
};

// Vectors on the stack, one after the other, for loads of single elements to all lanes.
//
// A load with broadcast occupies a load port only. A permute could copy the element to all lanes, too, but on the
// execution port of the products, which would then take twice as long.
class Memory {
public:
  Memory(IRBuilderBase &b, ArrayRef<Value *> vectors, const char *name) : b(b), type(vectors[0]->getType()) {
    IRBuilderBase::InsertPointGuard guard(b);
    BasicBlock &entry = b.GetInsertBlock()->getParent()->getEntryBlock();
    const auto here = b.saveIP();
    b.SetInsertPoint(&entry, entry.getFirstInsertionPt());
    memory = b.CreateAlloca(ArrayType::get(type, vectors.size()), nullptr, name);
    b.restoreIP(here);
    b.CreateLifetimeStart(memory);
    for (const auto &[i, vector] : enumerate(vectors))
      b.CreateStore(vector, b.CreateConstInBoundsGEP1_64(type, memory, i));
  }
  void end() { b.CreateLifetimeEnd(memory); }

  Value *vector(Value *index) const { return b.CreateLoad(type, b.CreateInBoundsGEP(type, memory, index)); }
  // Returns a vector with element `index` of the given vector in each of `lanes` lanes.
  Value *splat(unsigned vector, Value *index, unsigned lanes) const {
    Type *element = type->getScalarType();
    Value *first = b.CreateConstInBoundsGEP1_64(type, memory, vector);
    return b.CreateVectorSplat(lanes, b.CreateLoad(element, b.CreateInBoundsGEP(element, first, index)));
  }

private:
  IRBuilderBase &b;
  Type *type;
  AllocaInst *memory;
};

// Splits the vector into parts of `lanes` elements each.
SmallVector<Value *, 8> parts(IRBuilderBase &b, Value *vector, unsigned lanes) {
  const unsigned all = cast<FixedVectorType>(vector->getType())->getNumElements();
  assert(all % lanes == 0 && "the parts are whole");
  SmallVector<Value *, 8> result;
  for (unsigned first = 0; first < all; first += lanes)
    result.push_back(b.CreateShuffleVector(vector, createSequentialMask(first, lanes, 0)));
  return result;
}

// One product of matrices. The unpacked rows and the columns are in memory while it is computed.
class Product {
public:
  Product(const LaneContext &c, const Method &method, ArrayRef<Value *> rows, ArrayRef<Value *> columns)
      : b(c.b), method(method), lanes(std::min(c.width, c.target.registerBits() / 32)), parts_count(c.width / lanes),
        rows(b, factorsOf(rows), "rows"), columns(b, columnParts(columns), "columns") {}

  // Adds the product to the sums, by blocks of rows. A block's sums take half of AVX2's sixteen registers.
  void addTo(MutableArrayRef<Value *> sums) {
    const unsigned block = std::max(1U, 8 / parts_count);
    for (unsigned first = 0; first < sums.size(); first += block)
      addRows(first, sums.slice(first, std::min<size_t>(block, sums.size() - first)));
    rows.end();
    columns.end();
  }

private:
  Factors factorsOf(ArrayRef<Value *> dwords) const {
    Factors factors;
    for (Value *row : dwords)
      factors.append(method.left(row));
    return factors;
  }

  // Returns the columns, dword by dword, each split into vectors of one register.
  SmallVector<Value *, 32> columnParts(ArrayRef<Value *> dwords) const {
    SmallVector<Value *, 32> all;
    for (Value *dword : dwords)
      all.append(parts(b, dword, lanes));
    return all;
  }

  // Adds a block of rows in a loop over the dwords. Unrolled, the products of several calls would become one block, for
  // which LLVM's machine scheduler loads far more splats in advance than there are registers. If there is a bias, the
  // last `parts_count` loop-carried values sum up the excess.
  void addRows(unsigned first, MutableArrayRef<Value *> sums) {
    SmallVector<Value *, 16> carried;
    for (Value *sum : sums)
      carried.append(parts(b, sum, lanes));
    if (method.bias)
      carried.append(parts_count, Constant::getNullValue(carried[0]->getType()));
    emitCountedLoop(b, "matrix", nullptr, kMatrixDwords, carried, [&](Value *k, SmallVectorImpl<Value *> &totals) {
      SmallVector<Factors, 4> right;
      for (unsigned part = 0; part < parts_count; ++part)
        right.push_back(method.right(column(k, part)));
      for (unsigned factor = 0; factor < right[0].size(); ++factor)
        addFactor(first, sums.size(), factor, k, right, totals);
    });
    for (const auto &[m, sum] : enumerate(sums)) {
      MutableArrayRef<Value *> row = MutableArrayRef(carried).slice(m * parts_count, parts_count);
      if (method.bias)
        for (const auto &[total, excess] : zip(row, ArrayRef(carried).take_back(parts_count)))
          total = b.CreateSub(total, excess);
      sum = concatenateVectors(b, row);
    }
  }

  Value *column(Value *k, unsigned part) const {
    return columns.vector(b.CreateAdd(b.CreateMul(k, b.getInt32(parts_count)), b.getInt32(part)));
  }

  // Adds the products of one factor of dword k to the totals of all rows of the block.
  void addFactor(unsigned first, unsigned count, unsigned factor, Value *k, ArrayRef<Factors> right,
                 MutableArrayRef<Value *> totals) {
    const auto add = [&](unsigned m, Value *left) {
      for (unsigned part = 0; part < parts_count; ++part) {
        Value *&total = totals[m * parts_count + part];
        total = method.multiply_add(total, left, right[part][factor]);
      }
    };
    for (unsigned m = 0; m < count; ++m)
      add(m, rows.splat((first + m) * right[0].size() + factor, k, lanes));
    if (method.bias)
      add(count, b.CreateVectorSplat(lanes, method.bias));
  }

  IRBuilderBase &b;
  const Method &method;
  const unsigned lanes, parts_count; // lanes in a register, registers for all lanes
  Memory rows, columns;
};

} // namespace

void emitMatrixMultiplyAdd(const LaneContext &c, MatrixElement left, MatrixElement right, ArrayRef<Value *> rows,
                           ArrayRef<Value *> columns, MutableArrayRef<Value *> sums) {
  assert(rows.size() == sums.size() && columns.size() == kMatrixDwords && "a sum for each row, and eight dwords");
  assert(all_of(columns, [&](const Value *v) { return hasLanes(c, v); }) &&
         all_of(sums, [&](const Value *v) { return hasLanes(c, v); }) && "a column and sums for each lane");
  assert((left == right ||
          (MethodBuilder::bitsOf(left) == MethodBuilder::bitsOf(right) && MethodBuilder::bitsOf(left) <= 8)) &&
         "the elements are of one type, or integers of one size");
  const MethodBuilder builder(c, left, right);
  const Method method = builder.build();
  Product(c, method, rows, columns).addTo(sums);
}

} // namespace lanecl::vectorizer::lanes
