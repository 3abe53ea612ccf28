// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "language/types.h"

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

} // namespace lanecl::fuzz
