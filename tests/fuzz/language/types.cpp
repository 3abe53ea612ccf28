// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "language/types.h"

#include <bit>
#include <stdexcept>

namespace lanecl::fuzz {

namespace {

constexpr const char *kNames[kBases] = {"char", "uchar", "short", "ushort", "int",   "uint",
                                        "long", "ulong", "float", "half",   "double"};

} // namespace

std::string nameOf(Type type) {
  const std::string name = kNames[unsigned(type.base)];
  return type.lanes == 1 ? name : name + std::to_string(type.lanes);
}

std::string suffixOf(Rounding rounding) {
  constexpr const char *kSuffixes[kRoundings] = {"", "", "_rte", "_rtz", "_rtp", "_rtn"};
  return kSuffixes[unsigned(rounding)];
}

Type typeNamed(const std::string &name) {
  for (unsigned base = 0; base < kBases; ++base)
    for (unsigned lanes : {1, 2, 3, 4, 8, 16})
      if (const Type type{Base(base), uint8_t(lanes)}; nameOf(type) == name)
        return type;
  throw std::runtime_error("there is no type named " + name);
}

double toNumber(Base base, uint64_t bits) {
  return base == Base::Half    ? double(std::bit_cast<_Float16>(uint16_t(bits)))
         : base == Base::Float ? double(std::bit_cast<float>(uint32_t(bits)))
                               : std::bit_cast<double>(bits);
}

uint64_t fromNumber(Base base, double number) {
  return base == Base::Half    ? std::bit_cast<uint16_t>(_Float16(number))
         : base == Base::Float ? std::bit_cast<uint32_t>(float(number))
                               : std::bit_cast<uint64_t>(number);
}

} // namespace lanecl::fuzz
