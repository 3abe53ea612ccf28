// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Products of matrices. Floating-point products must be exact, whatever the order of the sum.
#include "evaluate/callers.h"
#include "evaluate/operations.h"
#include "language/matrices.h"

#include <cmath>

namespace lanecl::fuzz {

namespace {

// Floating-point elements must be multiples of kGrid and no larger than these limits. Otherwise a partial sum might be
// rounded.
constexpr double kGrid = 0.25, kMostOfElement = 64, kMostOfSum = 1 << 17;

// Returns the number, or throws Rejected if it is not a multiple of kGrid or is too large.
double onGrid(double value, double most) {
  if (!(std::fabs(value) <= most) || value / kGrid != std::floor(value / kGrid))
    throw Rejected("a number that might not add up exactly");
  return value;
}

double bfloat16(uint64_t bits) {
  return toNumber(Base::Float, bits << 16);
}

// Returns the number that an element's bits stand for.
double numberOf(Element element, uint64_t bits) {
  switch (element) {
  case Element::I4: return double(int64_t(bits << 60) >> 60);
  case Element::I8: return double(int8_t(bits));
  case Element::F16: return onGrid(toNumber(Base::Half, bits), kMostOfElement);
  case Element::Bf16: return onGrid(bfloat16(bits), kMostOfElement);
  // Ten bits of the fraction count.
  case Element::Tf32: return onGrid(toNumber(Base::Float, bits & ~uint64_t(0x1fff)), kMostOfElement);
  default: return double(bits);
  }
}

// Returns element i of the packed components, starting with component `first`. Elements with lower numbers lie in lower
// bits.
uint64_t unpacked(const Value &v, Type type, unsigned first, unsigned i, unsigned bits) {
  const unsigned in_component = bitsOf(type.base) / bits;
  return v.c[first + i / in_component] >> i % in_component * bits & (~uint64_t(0) >> (64 - bits));
}

// The product of the matrices whose parts the callers pass, plus the accumulator.
class Product {
public:
  Product(const Callers &callers_, unsigned width_)
      : callers(callers_), matrices(matricesOf(callers.call.sub_group, callers.call.type)), width(width_) {
    if (!matrices.allowWidth(width))
      throw Rejected("no matrices for sub-groups of that size");
  }

  // Returns the column of the product that belongs to a work-item. `first` is the caller that is lane 0 of its
  // sub-group, or of the first of two sub-groups.
  Value column(size_t caller, size_t first) const {
    Value result;
    for (unsigned row = 0; row < matrices.rows(); ++row) {
      double sum = accumulator(callers.operands[0][caller].c[row]);
      for (unsigned k = 0; k < matrices.depth(); ++k)
        sum += left(first, row, k) * right(caller, k);
      result.c[row] = rounded(sum);
    }
    return result;
  }

private:
  const Callers &callers;
  const Matrices matrices;
  const unsigned width;

  // Returns an element of the left matrix. If a lane passes several elements of a row, lane 0 passes those with the
  // lowest numbers. With tf32 there are twice as many lanes as elements in a row, and the upper half of the lanes
  // passes the odd rows.
  double left(size_t first, unsigned row, unsigned k) const {
    const std::vector<Value> &values = callers.operands[1];
    const unsigned bits = bitsOf(matrices.left);
    const Type type = matrices.leftType(width);
    if (matrices.left == Element::Tf32)
      return numberOf(matrices.left, values[first + row % 2 * 8 + k].c[row / 2]);
    const unsigned of_lane = matrices.depth() / width;
    // Whether the row belongs to the second sub-group of a pair.
    const bool second = matrices.split && row >= type.lanes;
    const Value &v = values[first + second * width + k / of_lane];
    return numberOf(matrices.left, unpacked(v, type, row - second * type.lanes, k % of_lane, bits));
  }

  // Returns element k of the column of the right matrix that the caller passes.
  double right(size_t caller, unsigned k) const {
    const Value &v = callers.operands[2][caller];
    return numberOf(matrices.right, unpacked(v, matrices.rightType(), 0, k, bitsOf(matrices.right)));
  }

  // Returns the number in one component of the accumulator.
  double accumulator(uint64_t bits) const {
    if (matrices.sum.base == Base::Int)
      return double(extended(Base::Int, bits));
    return onGrid(matrices.sum.base == Base::Short ? bfloat16(bits) : toNumber(matrices.sum.base, bits), kMostOfSum);
  }

  // Returns the bits of a sum in the type of the result. Throws Rejected if they do not represent it exactly.
  uint64_t rounded(double sum) const {
    const bool integer = isInteger(matrices.left), bf16 = matrices.sum.base == Base::Short;
    if (integer && !fits(Base::Int, Wide(sum)))
      throw Rejected("a sum that overflows");
    if (integer)
      return truncated(Base::Int, uint64_t(int64_t(sum)));
    const uint64_t bits = bf16 ? fromNumber(Base::Float, sum) >> 16 : fromNumber(matrices.sum.base, sum);
    if ((bf16 ? bfloat16(bits) : toNumber(matrices.sum.base, bits)) != sum)
      throw Rejected("a sum that is rounded");
    return bits;
  }
};

} // namespace

// Multiplies within one sub-group, all of whose lanes must call.
Results multiplied(const Callers &callers) {
  if (callers.count() != callers.width)
    throw Rejected("a part of a sub-group multiplies matrices");
  const Product product(callers, callers.width);
  Results results;
  for (size_t i = 0; i < callers.count(); ++i)
    results.push_back(product.column(i, 0));
  return results;
}

// Two sub-groups work together; the number of the first one is even. If a pair does not call the function, its
// work-items get zeros.
Results multipliedBySplit(const Callers &callers, unsigned width) {
  const Product product(callers, width);
  Results results(callers.count());
  for (size_t i = 0; i < callers.count(); ++i) {
    const size_t pair = i / (2 * size_t(width)), first = pair * 2 * width;
    const bool whole = first + 2 * size_t(width) <= callers.count();
    if (!whole && callers.call.number < 0)
      throw Rejected("a sub-group without a partner, or not a whole one");
    if (whole && (callers.call.number < 0 || (callers.call.number >> pair % kSplitPairs & 1)))
      results[i] = product.column(i, first);
  }
  return results;
}

} // namespace lanecl::fuzz
