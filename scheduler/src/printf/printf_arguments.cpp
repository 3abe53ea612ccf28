// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printf/printf_arguments.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>

namespace lanecl::scheduler {

namespace {

template <typename T> T load(const std::byte *from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

double halfToDouble(uint16_t bits) {
  const int exponent = bits >> 10 & 0x1f, fraction = bits & 0x3ff;
  double value;
  if (exponent == 31)
    value = fraction != 0 ? std::nan("") : HUGE_VAL;
  else if (exponent == 0)
    value = std::ldexp(fraction, -24);
  else
    value = std::ldexp(fraction + 1024, exponent - 25);
  return std::copysign(value, (bits & 0x8000) != 0 ? -1.0 : 1.0);
}

int64_t saturate(double value) {
  if (!(value > -9.2e18)) // also handles NaN, which becomes 0
    return value < 0 ? INT64_MIN : 0;
  return value < 9.2e18 ? static_cast<int64_t>(value) : INT64_MAX;
}

constexpr bool validSize(unsigned size) {
  return size == 1 || size == 2 || size == 4 || size == 8;
}

} // namespace

std::optional<PrintfArgument> PrintfArguments::next() {
  constexpr size_t kTagBytes = 8;
  if (at == nullptr || left < kTagBytes)
    return std::nullopt;
  const auto tag = load<uint32_t>(at);
  PrintfArgument argument{at + kTagBytes, tag & 0xff, tag >> 8 & 0xff, (tag >> 16 & 1) != 0, (tag >> 17 & 1) != 0};
  const size_t bytes = size_t{argument.size} * argument.count;
  if (!validSize(argument.size) || argument.count == 0 || bytes > left - kTagBytes) {
    left = 0;
    return std::nullopt;
  }
  const size_t step = std::min(left, kTagBytes + (bytes + 7) / 8 * 8);
  at += step;
  left -= step;
  return argument;
}

uint64_t PrintfArgument::asUnsigned(unsigned index, unsigned most) const {
  assert(index < count && most != 0 && most <= 8 && "the argument has no such component");
  const std::byte *from = components + size_t{index} * size;
  if (floating)
    return static_cast<uint64_t>(saturate(asDouble(index)));
  uint64_t value = 0;
  std::memcpy(&value, from, std::min(size, most)); // little endian, as in generated code
  return value;
}

int64_t PrintfArgument::asSigned(unsigned index, unsigned most) const {
  const uint64_t value = asUnsigned(index, most);
  if (floating)
    return static_cast<int64_t>(value);
  const unsigned unused = 64 - 8 * std::min(size, most);
  return static_cast<int64_t>(value << unused) >> unused;
}

double PrintfArgument::asDouble(unsigned index) const {
  assert(index < count && validSize(size) && "the argument has no such component");
  const std::byte *from = components + size_t{index} * size;
  if (!floating)
    return static_cast<double>(asSigned(index));
  switch (size) {
  case 2: return halfToDouble(load<uint16_t>(from));
  case 4: return static_cast<double>(load<float>(from));
  case 8: return load<double>(from);
  default: return 0;
  }
}

} // namespace lanecl::scheduler
