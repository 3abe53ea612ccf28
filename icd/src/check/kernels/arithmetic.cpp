// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The messages of the group `arithmetic`. check_arithmetic.cpp of the vectorizer defines what the two numbers of each
// rule mean.
#include "check/kernels/arithmetic.h"

#include <bit>
#include <charconv>

namespace lanecl::icd {
namespace {

using abi::CheckRule;

std::string integer(uint64_t bits, bool is_signed) {
  return is_signed ? std::to_string(static_cast<int64_t>(bits)) : std::to_string(bits);
}

std::string number(uint64_t bits) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, std::bit_cast<double>(bits), std::chars_format::general, 7);
  return {text, end.ptr};
}

std::string typeName(uint64_t bits, bool is_signed) {
  const char *const name = bits == 8 ? "char" : bits == 16 ? "short" : bits == 32 ? "int" : "long";
  return (is_signed ? "" : "u") + std::string(name);
}

} // namespace

std::string describeArithmetic(const abi::CheckSite &site, uint64_t value, uint64_t other) {
  const std::string function = site.function;
  switch (site.rule) {
  case CheckRule::DivisionByZero:
  case CheckRule::DivisionOverflow:
    return function + " of " + integer(value, other != 0) +
           (site.rule == CheckRule::DivisionByZero ? " by 0" : " by -1");
  case CheckRule::ShiftBeyondWidth:
    return function + " by " + integer(value, true) + " of a number of " + std::to_string(other) + " bits";
  case CheckRule::ConversionOutOfRange:
    return function + " of " + number(value) + " to " + typeName(other / 2, other % 2 != 0);
  default:
    return function + " of " + number(value) + (other == abi::kNoOperand ? "" : " and " + number(other)) + " is NaN";
  }
}

} // namespace lanecl::icd
