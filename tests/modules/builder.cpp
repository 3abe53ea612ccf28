// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "builder.h"

namespace lanecl::modules {

Value Builder::constant(unsigned bits, uint64_t number) {
  Value value{fresh(), bits, {}};
  value.lanes.fill(narrowed(number, bits));
  constants += value.name + " = OpConstant " + type(bits) + " " + std::to_string(narrowed(number, bits)) + "\n";
  return value;
}

Value Builder::take(unsigned bits) {
  const Value &any = values[below(unsigned(values.size()))];
  if (any.bits == bits)
    return any;
  const bool is_signed = below(2) == 0;
  return each(std::string(is_signed ? "OpSConvert " : "OpUConvert ") + type(bits) + " " + any.name, bits,
              [&](size_t i) { return is_signed ? uint64_t(extended(any.lanes[i], any.bits)) : any.lanes[i]; });
}

Value Builder::each(const std::string &instruction, unsigned bits, const std::function<uint64_t(size_t)> &compute) {
  Value value{fresh(), bits, {}};
  for (size_t i = 0; i < kItems; ++i)
    value.lanes[i] = narrowed(compute(i), bits);
  line(value.name + " = " + instruction);
  return value;
}

} // namespace lanecl::modules
