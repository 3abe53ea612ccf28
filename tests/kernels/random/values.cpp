#include "values.h"

#include <algorithm>
#include <bit>

namespace lanecl::test::random_kernels {

float toFloat(uint64_t bits) {
  return std::bit_cast<float>(uint32_t(bits));
}
uint64_t fromFloat(float value) {
  return std::bit_cast<uint32_t>(value);
}
float tame(float value) {
  return float(int(std::clamp(value, -1024.0f, 1024.0f) * 4.0f)) * 0.25f;
}

Value tamed(Type type, Value value) {
  if (type.base == Base::Float)
    for (unsigned i = 0; i < type.lanes; ++i)
      value[i] = fromFloat(tame(toFloat(value[i])));
  return value;
}

int64_t toInteger(Base base, uint64_t bits) {
  return base == Base::Int ? int64_t(int32_t(bits)) : int64_t(bits);
}

namespace {

uint64_t truncate(Base base, uint64_t bits) {
  return base == Base::Long ? bits : uint32_t(bits);
}

uint64_t binaryFloat(Op op, float left, float right) {
  switch (op) {
  case Op::Add: return fromFloat(left + right);
  case Op::Sub: return fromFloat(left - right);
  case Op::Mul: return fromFloat(tame(left * right));
  case Op::Min: return fromFloat(std::min(left, right));
  case Op::Max: return fromFloat(std::max(left, right));
  case Op::Less: return left < right;
  case Op::LessEqual: return left <= right;
  case Op::Equal: return left == right;
  default: return left != right;
  }
}

} // namespace

uint64_t binary(Op op, Base base, uint64_t left, uint64_t right) {
  if (base == Base::Float)
    return binaryFloat(op, toFloat(left), toFloat(right));
  const int64_t l = toInteger(base, left), r = toInteger(base, right);
  const unsigned amount = unsigned(right) & (base == Base::Long ? 63 : 31);
  switch (op) {
  case Op::Add: return truncate(base, left + right);
  case Op::Sub: return truncate(base, left - right);
  case Op::Mul: return truncate(base, left * right);
  case Op::And: return left & right;
  case Op::Or: return left | right;
  case Op::Xor: return left ^ right;
  case Op::Shl: return truncate(base, left << amount);
  case Op::Shr: return truncate(base, uint64_t(l >> amount)); // a uint is zero-extended
  case Op::Min: return truncate(base, uint64_t(std::min(l, r)));
  case Op::Max: return truncate(base, uint64_t(std::max(l, r)));
  case Op::Less: return l < r;
  case Op::LessEqual: return l <= r;
  case Op::Equal: return l == r;
  case Op::NotEqual: return l != r;
  case Op::LogicalAnd: return l && r;
  case Op::LogicalOr: return l || r;
  }
  return 0;
}

uint64_t divide(bool remainder, Base base, uint64_t left, uint64_t right) {
  const int64_t l = toInteger(base, left), r = toInteger(base, right);
  if (r == 0 || (base != Base::UInt && r == -1))
    return left;
  return truncate(base, uint64_t(remainder ? l % r : l / r));
}

uint64_t convert(Base to, Base from, uint64_t bits) {
  if (from == Base::Float) {
    const int64_t value = int64_t(toFloat(bits));
    return to == Base::Float ? fromFloat(tame(toFloat(bits))) : truncate(to, uint64_t(value));
  }
  const int64_t value = toInteger(from, bits);
  return to == Base::Float ? fromFloat(tame(float(value))) : truncate(to, uint64_t(value));
}

} // namespace lanecl::test::random_kernels
