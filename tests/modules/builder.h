// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Instructions of a kernel in SPIR-V's assembly as they are added, with what each computes in every work-item.
#pragma once

#include "generate.h"

#include <array>
#include <functional>

namespace lanecl::modules {

using Lanes = std::array<uint64_t, kItems>; // of each work-item, without the bits that the type lacks

struct Value {
  std::string name;
  unsigned bits; // 1: a truth value
  Lanes lanes;
};

inline uint64_t narrowed(uint64_t value, unsigned bits) {
  return bits == 64 ? value : value & ((uint64_t(1) << bits) - 1);
}

inline int64_t extended(uint64_t value, unsigned bits) {
  return int64_t(value << (64 - bits)) >> (64 - bits);
}

class Builder {
public:
  explicit Builder(Random &random) : random(random) { active.fill(true); }

  unsigned below(unsigned limit) { return unsigned(random() % limit); }
  std::string fresh() { return "%v" + std::to_string(names++); }
  static std::string type(unsigned bits) { return bits == 1 ? "%bool" : "%u" + std::to_string(bits); }
  void line(const std::string &text) { body += text + "\n"; }

  Value constant(unsigned bits, uint64_t number);
  // A value of that type: one that exists, or made from one.
  Value take(unsigned bits);
  Value each(const std::string &instruction, unsigned bits, const std::function<uint64_t(size_t)> &compute);

  Random &random;
  std::vector<Value> values;       // that can be used here
  std::array<bool, kItems> active; // the work-items that come by here
  std::string constants, variables, body;

private:
  unsigned names = 0;
};

} // namespace lanecl::modules
