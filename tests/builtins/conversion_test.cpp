// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Conversions between float, integers and half in every rounding mode, against tables and the host's rounding.
#include "host_library.h"
#include "rounding.h"

#include <bit>
#include <catch2/catch.hpp>
#include <cfenv>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace {

struct Rounding {
  const char *suffix;
  int mode;
};
constexpr Rounding kRoundings[] = {
    {"", FE_TONEAREST}, {"_rte", FE_TONEAREST}, {"_rtz", FE_TOWARDZERO}, {"_rtp", FE_UPWARD}, {"_rtn", FE_DOWNWARD}};

std::vector<double> values() {
  std::vector<double> result{
      0.0,     -0.0,     0.5,       1.5,      2.5,     -0.5,         -1.5,          127.5,         128.5,    255.5,
      -128.5,  32767.5,  65504.0,   65519.99, 65520.0, 65535.0,      65536.0,       1e6,           -65519.9, 70000.0,
      1e-8,    -1e-8,    2.98e-8,   5.96e-8,  6.1e-5,  2147483648.0, -2147483649.0, 4294967296.0,  9.3e18,   1.9e19,
      -9.3e18, INFINITY, -INFINITY, 2049.0,   2051.0,  4100.5,       0x1.004p0,     0x1.00400001p0};
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> exponent(-30, 70), mantissa(-1, 1);
  for (int i = 0; i < 30000; ++i)
    result.push_back(std::ldexp(mantissa(random), int(exponent(random))));
  for (int i = 0; i < 0x7c00; ++i) { // exact halves, the middle between two, and both its sides
    const double middle = (halfValue(uint16_t(i)) + (i == 0x7bff ? 65536.0 : halfValue(uint16_t(i + 1)))) / 2;
    result.insert(result.end(),
                  {halfValue(uint16_t(i)), middle, -middle, std::nextafter(middle, 1e9), -std::nextafter(middle, 0.0)});
  }
  return result;
}

std::string wrappers() {
  std::string source = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n";
  for (const Rounding &rounding : kRoundings) {
    const std::string suffix = rounding.suffix;
    for (const char *type : {"float", "double", "int", "ulong", "long"})
      source += "ushort half_" + std::string(type) + suffix + "(" + type + " x) { return as_ushort(convert_half" +
                suffix + "(x)); }\n";
    for (const char *type : {"double", "int", "uint", "long", "ulong"})
      source +=
          "float float_" + std::string(type) + suffix + "(" + type + " x) { return convert_float" + suffix + "(x); }\n";
    source += "void store" + suffix + "(double x, ushort *p) { vstore_half" + suffix + "(x, 0, (half *)p); }\n";
    for (const char *type : {"char", "uchar", "short", "ushort", "int", "uint", "long", "ulong"})
      for (const std::string &mode : {suffix, "_sat" + suffix}) {
        const std::string function = "convert_" + std::string(type) + mode;
        source += std::string(type) + " " + "to_" + type + mode + "(float x) { return " + function + "(x); }\n";
        source += std::string(type) + " " + "half_to_" + type + mode + "(ushort x) { return " + function +
                  "(as_half(x)); }\n";
      }
  }
  return source;
}

const HostLibrary &library() {
  static const HostLibrary instance(wrappers());
  return instance;
}

// What rounding an integer gives, and what saturating it gives. Without `_sat` a default conversion truncates and only
// values that fit are defined.
template <typename T> void checkToInteger(const std::string &type) {
  using Limits = std::numeric_limits<T>;
  const std::vector<double> inputs = values();
  for (const Rounding &rounding : kRoundings)
    for (bool saturate : {false, true}) {
      const int mode = *rounding.suffix == 0 ? FE_TOWARDZERO : rounding.mode;
      const std::string name = type + (saturate ? "_sat" : "") + rounding.suffix;
      auto *function = library().function<T(float)>("to_" + name);
      size_t wrong = 0;
      for (double input : inputs) {
        const float x = float(input);
        const long double rounded = toInteger(x, mode);
        const bool fits = rounded >= (long double)Limits::min() && rounded <= (long double)Limits::max();
        if (!fits && !saturate)
          continue;
        const T want = fits ? T(rounded) : rounded < 0 ? Limits::min() : Limits::max();
        wrong += function(x) != want;
      }
      INFO(name);
      CHECK(wrong == 0);
      if (saturate)
        CHECK(function(NAN) == 0);
    }
}

} // namespace

TEST_CASE("float to integers") {
  checkToInteger<int8_t>("char");
  checkToInteger<uint8_t>("uchar");
  checkToInteger<int16_t>("short");
  checkToInteger<uint16_t>("ushort");
  checkToInteger<int32_t>("int");
  checkToInteger<uint32_t>("uint");
  checkToInteger<int64_t>("long");
  checkToInteger<uint64_t>("ulong");
}

TEST_CASE("float and double to half") {
  const std::vector<double> inputs = values();
  for (const Rounding &rounding : kRoundings) {
    const std::string suffix = rounding.suffix;
    auto *from_float = library().function<uint16_t(float)>("half_float" + suffix);
    auto *from_double = library().function<uint16_t(double)>("half_double" + suffix);
    auto *store = library().function<void(double, uint16_t *)>("store" + suffix);
    size_t wrong_float = 0, wrong_double = 0, wrong_store = 0;
    for (double x : inputs) {
      uint16_t stored = 0;
      store(x, &stored);
      wrong_float += from_float(float(x)) != halfReference(float(x), rounding.mode);
      wrong_double += from_double(x) != halfReference(x, rounding.mode);
      wrong_store += stored != halfReference(x, rounding.mode);
    }
    INFO("rounding " << suffix);
    CHECK(wrong_float == 0);
    CHECK(wrong_double == 0);
    CHECK(wrong_store == 0);
    CHECK(std::isnan(halfValue(from_float(NAN))));
    CHECK(std::isnan(halfValue(from_double(NAN))));
  }
}

TEST_CASE("integers and double to float") {
  std::mt19937_64 random(9);
  std::uniform_real_distribution<double> exponent(-155, 130), mantissa(-1, 1);
  for (const Rounding &rounding : kRoundings) {
    const std::string suffix = rounding.suffix;
    auto *from_double = library().function<float(double)>("float_double" + suffix);
    auto *from_int = library().function<float(int32_t)>("float_int" + suffix);
    auto *from_uint = library().function<float(uint32_t)>("float_uint" + suffix);
    auto *from_long = library().function<float(int64_t)>("float_long" + suffix);
    auto *from_ulong = library().function<float(uint64_t)>("float_ulong" + suffix);
    size_t wrong_double = 0, wrong_int = 0, wrong_uint = 0, wrong_long = 0, wrong_ulong = 0;
    for (int i = 0; i < 100000; ++i) {
      const double x = std::ldexp(mantissa(random), int(exponent(random)));
      const uint64_t value = i == 0 ? ~uint64_t(0) : random() >> random() % 64;
      wrong_double += from_double(x) != roundTo<float>(x, rounding.mode);
      wrong_int += from_int(int32_t(value)) != roundTo<float>(int32_t(value), rounding.mode);
      wrong_uint += from_uint(uint32_t(value)) != roundTo<float>(uint32_t(value), rounding.mode);
      wrong_long += from_long(int64_t(value)) != roundTo<float>(int64_t(value), rounding.mode);
      wrong_ulong += from_ulong(value) != roundTo<float>(value, rounding.mode);
    }
    INFO("rounding " << suffix);
    CHECK(wrong_double == 0);
    CHECK(wrong_int == 0);
    CHECK(wrong_uint == 0);
    CHECK(wrong_long == 0);
    CHECK(wrong_ulong == 0);
  }
}

TEST_CASE("integers to half") {
  std::mt19937_64 random(8);
  for (const Rounding &rounding : kRoundings) {
    auto *from_int = library().function<uint16_t(int32_t)>("half_int" + std::string(rounding.suffix));
    auto *from_long = library().function<uint16_t(int64_t)>("half_long" + std::string(rounding.suffix));
    auto *from_ulong = library().function<uint16_t(uint64_t)>("half_ulong" + std::string(rounding.suffix));
    size_t wrong = 0;
    for (int i = 0; i < 100000; ++i) {
      const uint64_t value = random() >> random() % 64;
      wrong += from_int(int32_t(value)) != halfReference(int32_t(value), rounding.mode);
      wrong += from_long(int64_t(value)) != halfReference(int64_t(value), rounding.mode);
      wrong += from_ulong(value) != halfReference(value, rounding.mode);
    }
    INFO("rounding " << rounding.suffix);
    CHECK(wrong == 0);
  }
}

TEST_CASE("half to integers") {
  auto *to_int = library().function<int32_t(uint16_t)>("half_to_int_rte");
  auto *to_char = library().function<int8_t(uint16_t)>("half_to_char_sat_rtp");
  size_t wrong = 0;
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const double x = halfValue(uint16_t(bits));
    if (std::isnan(x))
      continue;
    if (std::isfinite(x))
      wrong += to_int(uint16_t(bits)) != int32_t(std::nearbyint(x));
    wrong += to_char(uint16_t(bits)) != int8_t(std::fmin(std::fmax(std::ceil(x), -128), 127));
  }
  CHECK(wrong == 0);
}
