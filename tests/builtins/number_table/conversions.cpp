// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Every conversion between two scalar types, at every width, in every rounding mode and saturating or not, against the
// host's rounding.
#include "runner.hpp"
#include "types.hpp"

#include "../rounding.h"

#include <bit>
#include <catch2/catch.hpp>
#include <cstring>
#include <limits>
#include <optional>
#include <random>

using namespace lanecl::test;

namespace {

// A type with an integer's range, or of floating point.
struct Number {
  const char *name;
  size_t bytes;
  const IntegerType *integer = nullptr;
};

const Number kNumbers[] = {{"char", 1, &kIntegerTypes[0]},
                           {"uchar", 1, &kIntegerTypes[1]},
                           {"short", 2, &kIntegerTypes[2]},
                           {"ushort", 2, &kIntegerTypes[3]},
                           {"int", 4, &kIntegerTypes[4]},
                           {"uint", 4, &kIntegerTypes[5]},
                           {"long", 8, &kIntegerTypes[6]},
                           {"ulong", 8, &kIntegerTypes[7]},
                           {"half", 2},
                           {"float", 4},
                           {"double", 8}};

struct Rounding {
  const char *suffix;
  int mode;
};
constexpr Rounding kRoundings[] = {
    {"", FE_TONEAREST}, {"_rte", FE_TONEAREST}, {"_rtz", FE_TOWARDZERO}, {"_rtp", FE_UPWARD}, {"_rtn", FE_DOWNWARD}};

struct Conversion {
  bool saturates;
  Rounding rounding;
};

std::vector<Conversion> conversionsTo(const Number &to) {
  std::vector<Conversion> result;
  for (const bool saturates : {false, true})
    for (const Rounding &rounding : kRoundings)
      if (!saturates || to.integer != nullptr)
        result.push_back({saturates, rounding});
  return result;
}

template <class T> uint64_t bitsOf(T value) {
  uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}

// long double holds the values of all types.
long double valueOf(const Number &type, uint64_t bits) {
  if (type.integer != nullptr)
    return (long double)type.integer->wrap(Wide(bits));
  switch (type.bytes) {
  case 2: return halfValue(uint16_t(bits));
  case 4: return std::bit_cast<float>(uint32_t(bits));
  default: return std::bit_cast<double>(bits);
  }
}

uint64_t roundedTo(const Number &type, long double x, int mode) {
  switch (type.bytes) {
  case 2: return halfReference(x, mode);
  case 4: return bitsOf(roundTo<float>(x, mode));
  default: return bitsOf(roundTo<double>(x, mode));
  }
}

// The bits that a conversion gives, any NaN as the lowest one; nothing where OpenCL leaves it open.
std::optional<uint64_t> converted(const Number &from, const Number &to, const Conversion &conversion, long double x) {
  if (to.integer == nullptr)
    return std::isnan(x) ? uint64_t(-1) : roundedTo(to, x, conversion.rounding.mode);
  const bool is_default = *conversion.rounding.suffix == 0;
  const long double whole = toInteger(x, is_default ? FE_TOWARDZERO : conversion.rounding.mode);
  const bool fits = whole >= (long double)to.integer->min() && whole <= (long double)to.integer->max();
  const uint64_t all = to.bytes == 8 ? ~uint64_t(0) : (uint64_t(1) << 8 * to.bytes) - 1;
  if (fits)
    return uint64_t(Wide(whole)) & all;
  if (!conversion.saturates)
    return from.integer != nullptr ? std::optional(uint64_t(Wide(whole)) & all) : std::nullopt;
  return std::isnan(x) ? 0 : uint64_t(x < 0 ? to.integer->min() : to.integer->max()) & all;
}

// Ends of the integer types, the halves between integers, what rounds across a power of two, and random magnitudes.
std::vector<long double> interestingNumbers() {
  std::vector<long double> numbers{0.0L,      -0.0L,      INFINITY,        -INFINITY,       NAN,
                                   0x1p-149L, 0x1p-1074L, 0x1.fffffep127L, 0x1.ffffffp127L, 0x1.fffffefp127L,
                                   65504,     65519.99L,  65520,           0x1p-25L,        0x1.8p-25L};
  for (int power = 0; power <= 65; ++power)
    for (const long double step : {0.0L, 0.25L, 0.5L, 0.75L, 1.0L, 1.5L, 2.0L, 2.5L})
      for (const long double sign : {-1.0L, 1.0L}) {
        numbers.push_back(sign * (std::ldexp(1.0L, power) + step));
        numbers.push_back(sign * (std::ldexp(1.0L, power) - step));
        for (const int place : {11, 24, 53}) // the last place of half, float and double, and half of it
          for (const long double part : {0.5L, 0.75L, 1.0L, 1.5L})
            numbers.push_back(sign * std::ldexp(1.0L, power) * (1 + part * std::ldexp(1.0L, 1 - place)));
      }
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> mantissa(-1, 1), exponent(-160, 140), small(-30, 70);
  for (int i = 0; i < 10000; ++i) {
    numbers.push_back(std::ldexp(mantissa(random), int(exponent(random))));
    numbers.push_back(std::ldexp(mantissa(random), int(small(random))));
  }
  return numbers;
}

// Bits of values of the type: all there are up to 16 bits.
std::vector<uint64_t> inputsOf(const Number &type) {
  std::vector<uint64_t> inputs;
  if (type.bytes <= 2)
    for (uint64_t bits = 0; bits < uint64_t(1) << 8 * type.bytes; ++bits)
      inputs.push_back(bits);
  else if (type.integer == nullptr)
    for (const long double number : interestingNumbers())
      inputs.push_back(type.bytes == 4 ? bitsOf(float(number)) : bitsOf(double(number)));
  else {
    for (const IntegerType &other : kIntegerTypes)
      for (const Wide edge : edgesOf(other))
        inputs.push_back(uint64_t(edge));
    for (const long double number : interestingNumbers())
      if (number >= -0x1p63L && number < 0x1p64L)
        inputs.push_back(uint64_t(Wide(number)));
  }
  while (inputs.size() % 48 != 0)
    inputs.push_back(0);
  return inputs;
}

// The conversions' results lie one behind the other.
TableFunction tableFunction(const Number &from, const Number &to, unsigned width) {
  const std::string n = width == 1 ? "" : std::to_string(width), type = to.name;
  std::string body = "  " + std::string(from.name) + n + " x = " + loaded(width, "in0") + ";\n";
  size_t place = 0;
  for (const Conversion &conversion : conversionsTo(to)) {
    const std::string suffix = (conversion.saturates ? "_sat" : "") + std::string(conversion.rounding.suffix);
    body += "  " + stored(width, "convert_" + type + n + suffix + "(x)", std::to_string(place++) + " * count + i");
  }
  return {"from_" + std::string(from.name) + std::to_string(width), {from.name}, type, body};
}

uint64_t bitsAt(const Bytes &bytes, size_t index, size_t size) {
  uint64_t bits = 0;
  std::memcpy(&bits, &bytes[index * size], size);
  return bits;
}

// What one type's conversions to another one give, in the order of their results.
std::vector<std::optional<uint64_t>> expectedResults(const std::vector<uint64_t> &inputs, const Number &from,
                                                     const Number &to) {
  std::vector<std::optional<uint64_t>> results;
  for (const Conversion &conversion : conversionsTo(to))
    for (const uint64_t input : inputs)
      results.push_back(converted(from, to, conversion, valueOf(from, input)));
  return results;
}

// The first wrong result, in words; empty when there is none.
std::string firstWrong(const Bytes &got, const std::vector<std::optional<uint64_t>> &expected,
                       const std::vector<uint64_t> &inputs, const Number &from, const Number &to) {
  for (size_t i = 0; i < expected.size(); ++i) {
    const uint64_t bits = bitsAt(got, i, to.bytes);
    const bool is_nan = to.integer == nullptr && std::isnan(valueOf(to, bits));
    if (!expected[i] || (is_nan ? uint64_t(-1) : bits) == *expected[i])
      continue;
    const Conversion conversion = conversionsTo(to)[i / inputs.size()];
    const uint64_t input = inputs[i % inputs.size()];
    return "convert_" + std::string(to.name) + (conversion.saturates ? "_sat" : "") + conversion.rounding.suffix +
           " of " + std::to_string(valueOf(from, input)) + " (bits " + std::to_string(input) + ") has bits " +
           std::to_string(bits) + ", not " + std::to_string(*expected[i]);
  }
  return "";
}

// Returns the vector widths that are tested for the conversions between two types of the table.
std::vector<unsigned> widthsOf(const Runner &runner, const Number &from, const Number &to) {
  return runner.widthsOf(size_t(&from - kNumbers) + size_t(&to - kNumbers));
}

void check(Runner &runner, const Number &from, const Number &to) {
  const std::vector<uint64_t> inputs = inputsOf(from);
  const std::vector<std::optional<uint64_t>> expected = expectedResults(inputs, from, to);
  Bytes bytes;
  for (const uint64_t input : inputs)
    appendValue(bytes, Wide(input), from.bytes);
  for (const unsigned width : widthsOf(runner, from, to)) {
    const Bytes got = runner.run("from_" + std::string(from.name) + std::to_string(width), inputs.size() / width,
                                 {bytes}, expected.size() * to.bytes);
    INFO("from " << from.name << width);
    CHECK(firstWrong(got, expected, inputs, from, to) == "");
  }
}

} // namespace

TEST_CASE("conversions between every two types", "[conversions]") {
  const std::unique_ptr<Runner> runner = makeRunner();
  for (const Number &to : kNumbers) {
    std::vector<TableFunction> all;
    for (const Number &from : kNumbers)
      for (const unsigned width : widthsOf(*runner, from, to))
        all.push_back(tableFunction(from, to, width));
    runner->build(all);
    for (const Number &from : kNumbers)
      check(*runner, from, to);
  }
}
