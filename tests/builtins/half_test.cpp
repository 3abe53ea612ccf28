// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Functions of half for every argument there is, against the host.
#include "host_library.h"

#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdio>
#include <random>

namespace {

using Half = _Float16;
Half halfOf(uint16_t bits) {
  return std::bit_cast<Half>(bits);
}
uint16_t bitsOf(Half value) {
  return std::bit_cast<uint16_t>(value);
}

double sigmoid(double x) {
  return 1 / (1 + std::exp(-x));
}

struct Unary {
  const char *name;
  double (*reference)(double);
  double limit; // ulp of half
};
constexpr Unary kUnary[] = {
    {"exp", std::exp, 2},     {"exp2", std::exp2, 2},   {"expm1", std::expm1, 2},     {"log", std::log, 2},
    {"log2", std::log2, 2},   {"log10", std::log10, 2}, {"log1p", std::log1p, 2},     {"sin", std::sin, 2},
    {"cos", std::cos, 2},     {"tan", std::tan, 2},     {"asin", std::asin, 2},       {"acos", std::acos, 2},
    {"atan", std::atan, 2},   {"sinh", std::sinh, 2},   {"cosh", std::cosh, 2},       {"tanh", std::tanh, 2},
    {"cbrt", std::cbrt, 2},   {"erf", std::erf, 4},     {"erfc", std::erfc, 4},       {"sqrt", std::sqrt, 0.5},
    {"floor", std::floor, 0}, {"ceil", std::ceil, 0},   {"trunc", std::trunc, 0},     {"rint", std::nearbyint, 0},
    {"round", std::round, 0}, {"fabs", std::fabs, 0},   {"intel_sigmoid", sigmoid, 2}};

double ulpError(Half got, double want) {
  const Half rounded = Half(want);
  if (std::isnan(double(got)) || std::isnan(want))
    return std::isnan(double(got)) && std::isnan(want) ? 0 : INFINITY;
  if (double(got) == double(rounded))
    return std::isinf(double(rounded)) ? 0
                                       : std::fabs(double(got) - want) /
                                             std::ldexp(1.0, std::max(std::ilogb(want == 0 ? 1e-30 : want), -14) - 10);
  const double a = std::isinf(double(got)) ? std::copysign(65536.0, double(got)) : double(got);
  const double b = std::fabs(want) > 65536.0 ? std::copysign(65536.0, want) : want;
  return std::fabs(a - b) / std::ldexp(1.0, std::max(std::ilogb(b), -14) - 10);
}

std::string wrappers() {
  std::string source = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n";
  for (const Unary &f : kUnary)
    source += "ushort test_" + std::string(f.name) + "(ushort x) { return as_ushort(" + f.name + "(as_half(x))); }\n";
  for (const char *name : {"nextafter", "fmin", "fmax", "fmod", "pow", "maxmag"})
    source += "ushort test_" + std::string(name) + "(ushort x, ushort y) { return as_ushort(" + name +
              "(as_half(x), as_half(y))); }\n";
  source +=
      "ushort test_fma(ushort x, ushort y, ushort z) {"
      " return as_ushort(fma(as_half(x), as_half(y), as_half(z))); }\n"
      "ushort test_fract(ushort x, ushort *whole) {"
      " half w; half f = fract(as_half(x), &w); *whole = as_ushort(w); return as_ushort(f); }\n"
      "int test_frexp(ushort x, ushort *m) { int e; half f = frexp(as_half(x), &e); *m = as_ushort(f); return e; }\n";
  return source;
}

const HostLibrary &library() {
  static const HostLibrary instance(wrappers());
  return instance;
}

bool same(uint16_t got, double want) {
  const double value = double(halfOf(got));
  return std::isnan(want) ? std::isnan(value) : value == want;
}

} // namespace

TEST_CASE("half functions of one argument") {
  for (const Unary &entry : kUnary) {
    auto *function = library().function<uint16_t(uint16_t)>("test_" + std::string(entry.name));
    double worst = 0, at = 0;
    for (uint32_t bits = 0; bits < 0x10000; ++bits) {
      const Half x = halfOf(uint16_t(bits));
      const double error = ulpError(halfOf(function(uint16_t(bits))), entry.reference(double(x)));
      if (error > worst) {
        worst = error;
        at = double(x);
      }
    }
    std::printf("half %-8s %8.3f ulp (limit %g) at %g\n", entry.name, worst, entry.limit, at);
    INFO(entry.name << " at " << at);
    CHECK(worst <= entry.limit + 1e-9);
  }
}

TEST_CASE("half zeros keep their sign") {
  for (const char *name : {"sin", "tan", "asin", "atan", "sinh", "tanh", "cbrt", "erf", "sqrt"}) {
    auto *function = library().function<uint16_t(uint16_t)>("test_" + std::string(name));
    INFO(name);
    CHECK(function(0) == 0);
    CHECK(function(0x8000) == 0x8000);
  }
}

TEST_CASE("half fma is rounded once") {
  auto *fma = library().function<uint16_t(uint16_t, uint16_t, uint16_t)>("test_fma");
  std::mt19937 random(10);
  size_t wrong = 0;
  for (int i = 0; i < 2000000; ++i) {
    const auto x = uint16_t(random()), y = uint16_t(random());
    uint16_t z = uint16_t(random());
    if (i % 2) { // addends near a quarter of the product's last place make ties
      const double product = double(halfOf(x)) * double(halfOf(y));
      z = bitsOf(Half(std::ldexp(product, -int(random() % 26)) * (random() % 2 ? 1 : -1)));
    }
    const long double exact = (long double)double(halfOf(x)) * double(halfOf(y)) + double(halfOf(z));
    const double want = double(Half(exact)); // 64 bits hold the sum unless the addend is far away
    wrong += !same(fma(x, y, z), want);
  }
  CHECK(wrong == 0);
}

// 3 y has twelve bits, the last of which is set: in every binade, down to the denormal ones, where the last place is
// further up.
TEST_CASE("half fma finds the near side of numbers halfway between two halves") {
  auto *fma = library().function<uint16_t(uint16_t, uint16_t, uint16_t)>("test_fma");
  size_t wrong = 0;
  for (int y = 683; y < 1366; y += 2)
    for (int scale = -24; scale <= 4; ++scale)
      for (int exponent = -24; exponent <= 15; ++exponent)
        for (const double sign : {-1.0, 0.0, 1.0}) {
          const Half a = Half(3), b = Half(std::ldexp(double(y), scale)), c = Half(std::ldexp(sign, exponent));
          const long double exact = (long double)double(a) * double(b) + double(c);
          wrong += !same(fma(bitsOf(a), bitsOf(b), bitsOf(c)), double(Half(exact)));
          wrong += !same(fma(bitsOf(-a), bitsOf(b), bitsOf(-c)), double(Half(-exact)));
        }
  CHECK(wrong == 0);
}

TEST_CASE("half nextafter steps through the bits") {
  auto *nextafter = library().function<uint16_t(uint16_t, uint16_t)>("test_nextafter");
  size_t wrong = 0;
  for (uint16_t bits = 0; bits < 0x7c00; ++bits) {
    wrong += nextafter(bits, 0x7c00) != bits + 1;
    wrong += nextafter(bits, 0xfc00) != (bits == 0 ? 0x8001 : bits - 1);
    wrong += nextafter(bits | 0x8000, 0xfc00) != (bits + 1 | 0x8000);
    wrong += nextafter(bits, bits) != bits;
  }
  CHECK(wrong == 0);
  CHECK(std::isnan(double(halfOf(nextafter(0x7e00, 0)))));
}

TEST_CASE("half fract and frexp") {
  auto *fract = library().function<uint16_t(uint16_t, uint16_t *)>("test_fract");
  auto *frexp = library().function<int(uint16_t, uint16_t *)>("test_frexp");
  size_t wrong = 0;
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const double x = double(halfOf(uint16_t(bits)));
    if (!std::isfinite(x))
      continue;
    uint16_t whole = 0, mantissa = 0;
    const uint16_t fraction = fract(uint16_t(bits), &whole);
    wrong += !same(whole, std::floor(x));
    wrong += !same(fraction, std::fmin(double(Half(x - std::floor(x))), 0x1.ffcp-1));
    int exponent = 0;
    const double want = std::frexp(x, &exponent);
    wrong += frexp(uint16_t(bits), &mantissa) != exponent;
    wrong += !same(mantissa, want);
  }
  CHECK(wrong == 0);
}

TEST_CASE("half functions of two arguments") {
  std::mt19937 random(11);
  auto *fmin = library().function<uint16_t(uint16_t, uint16_t)>("test_fmin");
  auto *fmax = library().function<uint16_t(uint16_t, uint16_t)>("test_fmax");
  auto *fmod = library().function<uint16_t(uint16_t, uint16_t)>("test_fmod");
  auto *pow = library().function<uint16_t(uint16_t, uint16_t)>("test_pow");
  size_t wrong = 0;
  double worst = 0;
  for (int i = 0; i < 1000000; ++i) {
    const auto x = uint16_t(random()), y = uint16_t(random());
    const double a = double(halfOf(x)), b = double(halfOf(y));
    wrong += !same(fmin(x, y), std::fmin(a, b));
    wrong += !same(fmax(x, y), std::fmax(a, b));
    wrong += !same(fmod(x, y), std::fmod(a, b));
    worst = std::max(worst, ulpError(halfOf(pow(x, y)), std::pow(a, b)));
  }
  CHECK(wrong == 0);
  CHECK(worst <= 4);
}
