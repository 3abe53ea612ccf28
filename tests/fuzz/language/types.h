// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Types and values of the kernel language.
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace lanecl::fuzz {

// The signed and the unsigned type of a width are next to each other, and narrow types come first. The helpers below
// rely on it.
enum class Base : uint8_t { Char, UChar, Short, UShort, Int, UInt, Long, ULong, Float, Half, Double };
inline constexpr unsigned kIntegerBases = 8, kBases = 11;

// A scalar, a vector or a record.
struct Type {
  Base base = Base::Int;
  uint8_t lanes = 1;  // components of a vector; for a record, number of cells of all its fields
  uint8_t record = 0; // number of the record in the kernel plus one, see records.h; `base` then has no meaning
  bool operator==(const Type &) const = default;
};

inline constexpr Type kInt{Base::Int, 1}, kUInt{Base::UInt, 1}, kSize{Base::ULong, 1};
inline constexpr unsigned kMaxLanes = 16;

constexpr bool isRecord(Type type) {
  return type.record != 0;
}
constexpr bool isScalar(Type type) {
  return type.lanes == 1 && !isRecord(type);
}
constexpr bool isVector(Type type) {
  return type.lanes > 1 && !isRecord(type);
}
constexpr bool isInteger(Base base) {
  return base < Base::Float;
}
constexpr bool isSigned(Base base) {
  return isInteger(base) && unsigned(base) % 2 == 0;
}
constexpr unsigned bitsOf(Base base) {
  return isInteger(base) ? 8u << (unsigned(base) / 2) : base == Base::Half ? 16 : base == Base::Float ? 32 : 64;
}
constexpr Base unsignedOfBits(unsigned bits) {
  return bits == 8 ? Base::UChar : bits == 16 ? Base::UShort : bits == 32 ? Base::UInt : Base::ULong;
}
constexpr Base signedOf(Base base) {
  return isInteger(base) ? Base(unsigned(base) & ~1u) : base;
}
constexpr Base unsignedOf(Base base) {
  return isInteger(base) ? Base(unsigned(base) | 1u) : base;
}
// Returns the base type of the result of comparing vectors.
constexpr Base maskOf(Base base) {
  return isInteger(base) ? signedOf(base) : signedOf(unsignedOfBits(bitsOf(base)));
}
constexpr Type signedOf(Type type) {
  return {signedOf(type.base), type.lanes};
}
constexpr Type unsignedOf(Type type) {
  return {unsignedOf(type.base), type.lanes};
}
// In C, a scalar narrower than int is promoted to int before it is computed with. Vectors are not.
constexpr bool isPromoted(Type type) {
  return type.lanes == 1 && isInteger(type.base) && bitsOf(type.base) < 32;
}

// How a conversion is written and where it rounds to: a cast, a function without a rounding mode, or one with a mode.
enum class Rounding : uint8_t { Cast, Function, ToEven, ToZero, Up, Down };
inline constexpr unsigned kRoundings = 6;

std::string nameOf(Type type);
std::string suffixOf(Rounding rounding); // suffix of the function's name, such as _rtz
Type typeNamed(const std::string &name); // throws std::runtime_error

// The components of a value, or a record's cells, as raw bits, zero-extended.
struct Value {
  std::array<uint64_t, kMaxLanes> c{};
  std::array<uint64_t, kMaxLanes> unknown{}; // bits that OpenCL C leaves open; `c` holds one choice for them
  // The unknown bits are the same wherever the value is used. This need not hold for memory that was never written.
  bool settled = true;
};

constexpr uint64_t truncated(Base base, uint64_t bits) {
  return bitsOf(base) == 64 ? bits : bits & ((uint64_t(1) << bitsOf(base)) - 1);
}
// Sign-extends the bits if the type is signed. A ulong keeps its bits.
constexpr int64_t extended(Base base, uint64_t bits) {
  const unsigned unused = 64 - bitsOf(base);
  return isSigned(base) ? int64_t(bits << unused) >> unused : int64_t(bits);
}
// The number that the bits of a floating-point type stand for, and the bits of the number that is nearest.
double toNumber(Base base, uint64_t bits);
uint64_t fromNumber(Base base, double number);
// Wide enough for every value of an integer type.
__extension__ typedef __int128 Wide;
constexpr Wide wide(Base base, uint64_t bits) {
  return isSigned(base) ? Wide(extended(base, bits)) : Wide(bits);
}
constexpr Wide lowest(Base base) {
  return isSigned(base) ? -(Wide(1) << (bitsOf(base) - 1)) : Wide(0);
}
constexpr Wide highest(Base base) {
  return (Wide(1) << (bitsOf(base) - (isSigned(base) ? 1 : 0))) - 1;
}
constexpr bool fits(Base base, Wide value) {
  return value >= lowest(base) && value <= highest(base);
}

} // namespace lanecl::fuzz
