#include "matrix_multiply.h"

#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IntrinsicsX86.h"

#include <functional>

using namespace llvm;

namespace lanecl::vectorizer::lanes {
namespace {

// What dwords are taken apart into, so that one instruction multiplies a factor of each side: vectors like theirs.
using Factors = SmallVector<Value *, 4>;

struct Method {
  std::function<Factors(Value *)> left, right;                                // of a vector of dwords
  std::function<Value *(Value *sum, Value *left, Value *right)> multiply_add; // of factors
  Constant *bias = nullptr; // what a dword of a left factor is too large by in its elements; null: by nothing
};

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

private:
  static bool isSigned(MatrixElement element) { return element == MatrixElement::I8 || element == MatrixElement::I4; }
  bool areNibbles() const { return left_element == MatrixElement::I4 || left_element == MatrixElement::U4; }

  // The same dwords as a vector of smaller elements, and back.
  Value *as(Value *dwords, Type *element) const {
    const unsigned bits = unsigned(dwords->getType()->getPrimitiveSizeInBits().getFixedValue());
    return b.CreateBitCast(dwords, FixedVectorType::get(element, bits / element->getScalarSizeInBits()));
  }

  // Each element in a byte.
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

  // Each element in 16 bits.
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

  // Each element as float.
  Factors toFloats(Value *dwords) const {
    switch (left_element) {
    case MatrixElement::Tf32: return {as(b.CreateAnd(dwords, 0xffffe000), b.getFloatTy())};
    case MatrixElement::Bf16:
      return {as(b.CreateShl(dwords, 16), b.getFloatTy()), as(b.CreateAnd(dwords, 0xffff0000), b.getFloatTy())};
    default: {
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

  // vpdpbusd multiplies unsigned bytes by signed ones. Where both sides are of one kind the left one is made the other
  // by flipping its sign bit, which adds the weight of that bit.
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
    return lanes == 4 ? of128 : lanes == 8 ? of256 : of512;
  }

  const LaneContext &c;
  IRBuilderBase &b;
  const MatrixElement left_element, right_element;
};

Value *part(IRBuilderBase &b, Value *v, unsigned first, unsigned count) {
  return b.CreateShuffleVector(v, createSequentialMask(first, count, 0));
}

// The rows in memory, from where one of their dwords is loaded into all lanes at once. A permute would do that, too,
// but on the port that the products need: they would take twice as long, and splats that several products have in
// common would fill the registers. Volatile, so that neither becomes of the loads.
class Rows {
public:
  Rows(const LaneContext &c, ArrayRef<Factors> rows) : b(c.b), factors(unsigned(rows[0].size())) {
    IRBuilderBase::InsertPointGuard guard(b);
    type = cast<FixedVectorType>(rows[0][0]->getType());
    BasicBlock &entry = b.GetInsertBlock()->getParent()->getEntryBlock();
    const auto here = b.saveIP();
    b.SetInsertPoint(&entry, entry.getFirstInsertionPt());
    memory = b.CreateAlloca(ArrayType::get(type, rows.size() * factors), nullptr, "rows");
    b.restoreIP(here);
    b.CreateLifetimeStart(memory);
    for (const auto &[m, row] : enumerate(rows))
      for (const auto &[factor, value] : enumerate(row))
        b.CreateStore(value, b.CreateConstInBoundsGEP1_64(type, memory, m * factors + factor));
  }
  void end() { b.CreateLifetimeEnd(memory); }

  Value *splat(unsigned row, unsigned factor, unsigned dword, unsigned lanes) const {
    Type *element = type->getElementType();
    Value *place = b.CreateConstInBoundsGEP1_64(element, memory, (row * factors + factor) * kMatrixDwords + dword);
    return b.CreateVectorSplat(lanes, b.CreateLoad(element, place, /*isVolatile=*/true));
  }

private:
  IRBuilderBase &b;
  const unsigned factors; // of a row
  FixedVectorType *type;
  AllocaInst *memory;
};

// For the lanes of one register. Dword by dword, so that few factors of the columns live at once.
void multiplyPart(IRBuilderBase &b, const Method &method, const Rows &rows, ArrayRef<Value *> columns,
                  MutableArrayRef<Value *> sums) {
  const unsigned lanes = cast<FixedVectorType>(sums[0]->getType())->getNumElements();
  Value *excess = Constant::getNullValue(sums[0]->getType());
  for (unsigned k = 0; k < kMatrixDwords; ++k)
    for (const auto &[factor, right] : enumerate(method.right(columns[k]))) {
      for (const auto &[m, sum] : enumerate(sums))
        sum = method.multiply_add(sum, rows.splat(m, factor, k, lanes), right);
      if (method.bias)
        excess = method.multiply_add(excess, b.CreateVectorSplat(lanes, method.bias), right);
    }
  if (method.bias)
    for (Value *&sum : sums)
      sum = b.CreateSub(sum, excess);
}

} // namespace

void emitMatrixMultiplyAdd(const LaneContext &c, MatrixElement left, MatrixElement right, ArrayRef<Value *> rows,
                           ArrayRef<Value *> columns, MutableArrayRef<Value *> sums) {
  const MethodBuilder builder(c, left, right);
  const Method method = builder.build();
  SmallVector<Factors, 8> row_factors;
  for (Value *row : rows)
    row_factors.push_back(method.left(row));
  Rows memory(c, row_factors);
  const unsigned lanes = std::min(c.width, c.target.registerBits() / 32);
  SmallVector<SmallVector<Value *, 4>, 8> results(sums.size());
  for (unsigned first = 0; first < c.width; first += lanes) {
    SmallVector<Value *, 8> part_columns, part_sums;
    for (Value *column : columns)
      part_columns.push_back(part(c.b, column, first, lanes));
    for (Value *sum : sums)
      part_sums.push_back(part(c.b, sum, first, lanes));
    multiplyPart(c.b, method, memory, part_columns, part_sums);
    for (const auto &[result, sum] : zip(results, part_sums))
      result.push_back(sum);
  }
  memory.end();
  for (const auto &[sum, parts] : zip(sums, results))
    sum = concatenateVectors(c.b, parts);
}

} // namespace lanecl::vectorizer::lanes
