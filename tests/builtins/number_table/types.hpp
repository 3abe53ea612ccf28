// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The scalar types of OpenCL C as the tables see them, and their values in a type that holds all of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace lanecl::test {

__extension__ typedef __int128 Wide;
__extension__ typedef unsigned __int128 UnsignedWide;

// An integer type. Its values are kept as bits, the upper ones zero.
struct IntegerType {
  const char *name, *unsigned_name;
  unsigned bits;
  bool is_signed;

  size_t bytes() const { return bits / 8; }
  Wide min() const { return is_signed ? -(Wide(1) << (bits - 1)) : 0; }
  Wide max() const { return (Wide(1) << (is_signed ? bits - 1 : bits)) - 1; }
  Wide saturate(Wide x) const { return std::clamp(x, min(), max()); }
  // The value of the lowest `bits` of x.
  Wide wrap(Wide x) const {
    const auto low = UnsignedWide(x) & ((UnsignedWide(1) << bits) - 1);
    return is_signed && (low >> (bits - 1) & 1) ? Wide(low) - (Wide(1) << bits) : Wide(low);
  }
};

inline const IntegerType kIntegerTypes[] = {{"char", "uchar", 8, true},    {"uchar", "uchar", 8, false},
                                            {"short", "ushort", 16, true}, {"ushort", "ushort", 16, false},
                                            {"int", "uint", 32, true},     {"uint", "uint", 32, false},
                                            {"long", "ulong", 64, true},   {"ulong", "ulong", 64, false}};

// Where overflow, signs and halves of bits change something.
inline std::vector<Wide> edgesOf(const IntegerType &type) {
  std::vector<Wide> edges;
  for (const Wide x : {type.min(), type.max(), type.max() / 2, type.min() / 2, Wide(0), Wide(1) << type.bits / 2})
    for (int step : {-2, -1, 0, 1, 2})
      edges.push_back(type.wrap(x + step));
  for (const Wide x : {Wide(0x5555555555555555), Wide(100), type.max() / 3, Wide(-100), Wide(10)})
    edges.push_back(type.wrap(x));
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return edges;
}

inline void appendValue(std::vector<uint8_t> &bytes, Wide value, size_t size) {
  for (size_t i = 0; i < size; ++i)
    bytes.push_back(uint8_t(UnsignedWide(value) >> 8 * i));
}

inline Wide valueAt(const std::vector<uint8_t> &bytes, size_t index, const IntegerType &type) {
  UnsignedWide bits = 0;
  for (size_t i = 0; i < type.bytes(); ++i)
    bits |= UnsignedWide(bytes[index * type.bytes() + i]) << 8 * i;
  return type.wrap(Wide(bits));
}

// For messages; the standard library prints no 128 bits.
inline std::string decimal(Wide value) {
  const bool negative = value < 0;
  UnsignedWide rest = negative ? UnsignedWide(0) - UnsignedWide(value) : UnsignedWide(value);
  std::string digits;
  do
    digits.insert(digits.begin(), char('0' + int(rest % 10)));
  while ((rest /= 10) != 0);
  return negative ? "-" + digits : digits;
}

} // namespace lanecl::test
