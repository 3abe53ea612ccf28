// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Single-precision functions against the host's long double, in ulp, with the limits of the OpenCL specification.
#include "host_library.h"

#include <bit>
#include <catch2/catch.hpp>
#include <cfenv>
#include <cmath>
#include <cstdio>
#include <functional>
#include <random>
#include <vector>

namespace {

using Real = long double;
using UnaryReference = Real (*)(Real);
using BinaryReference = Real (*)(Real, Real);

constexpr Real kPi = 3.14159265358979323846264338327950288L;

// The distance of `got` from the exact `want` in units of the last place of the float nearest to it.
double ulpError(float got, Real want) {
  const float rounded = static_cast<float>(want);
  if (std::isnan(rounded) || std::isnan(got))
    return std::isnan(rounded) && std::isnan(got) ? 0 : INFINITY;
  if (std::isinf(rounded) || std::isinf(got)) {
    if (rounded == got)
      return 0;
    // One step across the border of overflow is an error of that size, no more.
    want = std::isinf(want) ? std::copysign(0x1p128L, want) : want;
    const Real value = std::isinf(got) ? std::copysign(0x1p128L, Real(got)) : Real(got);
    return double(std::fabs(value - want) / 0x1p104L);
  }
  const int exponent = std::max(std::ilogb(rounded == 0 ? 0x1p-149f : rounded), -126);
  return double(std::fabs(Real(got) - want) / std::ldexp(1.0L, exponent - 23));
}

// Every exponent and sign, and what is special about floats.
std::vector<float> samples(size_t count, uint32_t seed) {
  std::vector<float> values{
      0.0f,    -0.0f,  1.0f,     -1.0f,     0.5f,   -0.5f,          2.0f,          -2.0f,      3.0f,
      -3.0f,   1.5f,   INFINITY, -INFINITY, NAN,    0x1p-149f,      -0x1p-149f,    0x1p-126f,  0x1.fffffep127f,
      10.0f,   1e5f,   -1e5f,    1e10f,     -1e30f, 0x1.fffffep-1f, 0x1.000002p0f, 88.7f,      -87.3f,
      -103.9f, 128.0f, -149.0f,  -150.0f,   38.5f,  -45.1f,         2147483648.0f, 8388607.5f, 16777216.0f};
  std::mt19937 random(seed);
  while (values.size() < count / 2)
    values.push_back(std::bit_cast<float>(uint32_t(random())));
  std::uniform_real_distribution<float> moderate(-20.0f, 20.0f), large(-2e5f, 2e5f);
  while (values.size() < count)
    values.push_back(random() % 4 ? moderate(random) : large(random));
  return values;
}

struct Worst {
  double ulp = 0;
  float x = 0, y = 0;
  void add(double error, float at_x, float at_y = 0) {
    if (error > ulp || std::isnan(error))
      *this = {error, at_x, at_y};
  }
};

void report(const char *name, const Worst &worst, double limit) {
  std::printf("%-12s %8.3f ulp (limit %g) at %a, %a\n", name, worst.ulp, limit, worst.x, worst.y);
  INFO(name << " at " << worst.x << ", " << worst.y);
  CHECK(worst.ulp <= limit);
}

Real sinPi(Real x) {
  const Real reduced = std::fmod(x, 2.0L);
  return std::fmod(x, 1.0L) == 0 ? std::copysign(0.0L, x) : std::sin(reduced * kPi);
}
Real cosPi(Real x) {
  const Real reduced = std::fmod(std::fabs(x), 2.0L);
  return reduced == 0.5L || reduced == 1.5L ? 0.0L : std::cos(reduced * kPi);
}
Real exp10Reference(Real x) {
  return std::pow(10.0L, x);
}
// The host's has no value at 0, but a sign.
Real gammaReference(Real x) {
  return x < 0 && std::trunc(x) == x ? NAN : std::tgamma(x);
}
Real rsqrtReference(Real x) {
  return 1 / std::sqrt(x);
}

struct Unary {
  const char *name;
  UnaryReference reference;
  double limit;
};
constexpr Unary kUnary[] = {{"exp", std::exp, 3},         {"exp2", std::exp2, 3},
                            {"exp10", exp10Reference, 3}, {"log", std::log, 3},
                            {"log2", std::log2, 3},       {"log10", std::log10, 3},
                            {"sin", std::sin, 4},         {"cos", std::cos, 4},
                            {"tan", std::tan, 5},         {"sinpi", sinPi, 4},
                            {"cospi", cosPi, 4},          {"sqrt", std::sqrt, 0.501},
                            {"rsqrt", rsqrtReference, 2}, {"expm1", std::expm1, 3},
                            {"log1p", std::log1p, 2},     {"asin", std::asin, 4},
                            {"acos", std::acos, 4},       {"atan", std::atan, 5},
                            {"sinh", std::sinh, 4},       {"cosh", std::cosh, 4},
                            {"tanh", std::tanh, 5},       {"asinh", std::asinh, 4},
                            {"acosh", std::acosh, 4},     {"atanh", std::atanh, 5},
                            {"cbrt", std::cbrt, 2},       {"erf", std::erf, 16},
                            {"erfc", std::erfc, 16},      {"tgamma", gammaReference, 16},
                            {"floor", std::floor, 0},     {"ceil", std::ceil, 0},
                            {"trunc", std::trunc, 0},     {"rint", std::rint, 0},
                            {"round", std::round, 0}};

struct Binary {
  const char *name;
  BinaryReference reference;
  double limit;
};
constexpr Binary kBinary[] = {{"pow", std::pow, 16},  {"atan2", std::atan2, 6},         {"hypot", std::hypot, 4},
                              {"fmod", std::fmod, 0}, {"remainder", std::remainder, 0}, {"fmin", std::fmin, 0},
                              {"fmax", std::fmax, 0}, {"fdim", std::fdim, 0.501}};

std::string wrappers() {
  std::string source;
  for (const Unary &f : kUnary)
    source += "float test_" + std::string(f.name) + "(float x) { return " + f.name + "(x); }\n";
  for (const Binary &f : kBinary)
    source += "float test_" + std::string(f.name) + "(float x, float y) { return " + f.name + "(x, y); }\n";
  for (const char *name : {"exp", "exp2", "exp10", "log", "log2", "log10", "rsqrt", "sin", "cos", "tan"})
    source += "float test_native_" + std::string(name) + "(float x) { return native_" + name + "(x); }\n";
  for (const char *name :
       {"exp", "exp2", "exp10", "log", "log2", "log10", "rsqrt", "sqrt", "recip", "sin", "cos", "tan"})
    source += "float test_half_" + std::string(name) + "(float x) { return half_" + name + "(x); }\n";
  source += "float test_half_powr(float x, float y) { return half_powr(x, y); }\n";
  for (const char *name : {"atan2", "atan2pi"})
    source += "float test_exact_" + std::string(name) + "(float y, float x) { return " + name + "(y, x); }\n";
  source += "float test_ldexp(float x, int n) { return ldexp(x, n); }\n";
  return source + "float test_pown(float x, int n) { return pown(x, n); }\n"
                  "float test_rootn(float x, int n) { return rootn(x, n); }\n"
                  "float test_powr(float x, float y) { return powr(x, y); }\n";
}

const HostLibrary &library() {
  static const HostLibrary instance(wrappers());
  return instance;
}

} // namespace

TEST_CASE("functions of one argument keep the specification's limits") {
  const std::vector<float> inputs = samples(400000, 1);
  for (const Unary &entry : kUnary) {
    auto *function = library().function<float(float)>("test_" + std::string(entry.name));
    Worst worst;
    for (float x : inputs)
      worst.add(ulpError(function(x), entry.reference(x)), x);
    report(entry.name, worst, entry.limit);
  }
}

TEST_CASE("functions of two arguments keep the specification's limits") {
  const std::vector<float> xs = samples(300000, 2);
  std::vector<float> ys = samples(300000, 3);
  std::shuffle(ys.begin(), ys.end(), std::mt19937(4));
  for (const Binary &entry : kBinary) {
    auto *function = library().function<float(float, float)>("test_" + std::string(entry.name));
    Worst worst;
    for (size_t i = 0; i < xs.size(); ++i)
      worst.add(ulpError(function(xs[i], ys[i]), entry.reference(xs[i], ys[i])), xs[i], ys[i]);
    for (size_t i = 0; i < 36; ++i)
      for (size_t j = 0; j < 36; ++j) // samples() starts with the special values
        worst.add(ulpError(function(xs[i], xs[j]), entry.reference(xs[i], xs[j])), xs[i], xs[j]);
    report(entry.name, worst, entry.limit);
  }
}

TEST_CASE("angles on the axes and their bisectors are rounded correctly") {
  auto *atan2 = library().function<float(float, float)>("test_exact_atan2");
  auto *atan2pi = library().function<float(float, float)>("test_exact_atan2pi");
  const float values[] = {0.0f, -0.0f, 1.0f, -1.0f, 0x1p-149f, -0x1.fffffep127f, 3.5f, -3.5f, INFINITY, -INFINITY};
  for (float y : values)
    for (float x : values) {
      const Real angle = std::atan2(Real(y), Real(x)), turn = angle / kPi * 4;
      if (std::fabs(turn - std::nearbyint(turn)) > 1e-9L)
        continue;
      INFO(y << ", " << x);
      CHECK(std::bit_cast<uint32_t>(atan2pi(y, x)) ==
            std::bit_cast<uint32_t>(std::copysign(float(std::nearbyint(turn) / 4), y)));
      CHECK(std::bit_cast<uint32_t>(atan2(y, x)) == std::bit_cast<uint32_t>(float(angle)));
    }
}

TEST_CASE("powr of a non-negative base") {
  const std::vector<float> xs = samples(200000, 12), ys = samples(200000, 13);
  auto *powr = library().function<float(float, float)>("test_powr");
  Worst worst;
  for (size_t i = 36; i < xs.size(); ++i) { // behind the special values
    const float x = std::fabs(xs[i]), y = ys[xs.size() - 1 - i];
    if (std::isfinite(x) && std::isfinite(y) && x != 0)
      worst.add(ulpError(powr(x, y), std::pow(Real(x), Real(y))), x, y);
  }
  report("powr", worst, 16);
  CHECK(std::isnan(powr(-1.0f, 2.0f)));
  CHECK(std::isnan(powr(0.0f, 0.0f)));
  CHECK(std::isnan(powr(INFINITY, 0.0f)));
  CHECK(std::isnan(powr(1.0f, INFINITY)));
  CHECK(powr(0.0f, -1.0f) == INFINITY);
}

// What a kernel that calls them expects, though the specification leaves the accuracy open. Absolute for the sine,
// which has no relative accuracy at its zeros.
TEST_CASE("native functions are good to 11 bits and more") {
  auto relative = [](const char *name, UnaryReference reference, float low, float high) {
    auto *function = library().function<float(float)>("test_native_" + std::string(name));
    std::mt19937 random(14);
    std::uniform_real_distribution<float> distribution(low, high);
    double worst = 0;
    for (int i = 0; i < 100000; ++i) {
      const float x = distribution(random);
      worst = std::max(worst, double(std::fabs(function(x) / reference(x) - 1)));
    }
    std::printf("native_%-8s relative error %g\n", name, worst);
    INFO(name);
    CHECK(worst < 0x1p-16);
  };
  relative("exp", std::exp, -20, 20);
  relative("exp2", std::exp2, -20, 20);
  relative("exp10", exp10Reference, -10, 10);
  relative("log", std::log, 2, 1e6f);
  relative("log2", std::log2, 0.01f, 0.9f);
  relative("log10", std::log10, 2, 1e6f);
  relative("rsqrt", rsqrtReference, 0.01f, 1e6f);
  auto *sine = library().function<float(float)>("test_native_sin");
  auto *cosine = library().function<float(float)>("test_native_cos");
  double worst = 0;
  for (float x = -1000.0f; x < 1000.0f; x += 0.01f) {
    worst = std::max(worst, double(std::fabs(sine(x) - std::sin(Real(x)))));
    worst = std::max(worst, double(std::fabs(cosine(x) - std::cos(Real(x)))));
  }
  auto *tangent = library().function<float(float)>("test_native_tan");
  for (float x = -1000.0f; x < 1000.0f; x += 0.01f)
    CHECK(std::fabs(tangent(x) / std::tan(Real(x)) - 1) < 0x1p-11);
  std::printf("native_sin, native_cos absolute error %g\n", worst);
  CHECK(worst < 0x1p-20);
}

// Denormal arguments and results may be zero.
TEST_CASE("half functions keep 8192 ulp over their whole range") {
  const auto flushed = [](Real x) { return std::fabs(x) < 0x1p-126L ? std::copysign(0.0L, x) : x; };
  const auto error = [&](float got, auto &&reference) {
    return std::min(ulpError(got, reference(false)), ulpError(float(flushed(got)), flushed(reference(true))));
  };
  const std::vector<float> xs = samples(400000, 21), ys = samples(400000, 22);
  const Unary functions[] = {{"exp", std::exp, 8192},         {"exp2", std::exp2, 8192},
                             {"exp10", exp10Reference, 8192}, {"log", std::log, 8192},
                             {"log2", std::log2, 8192},       {"log10", std::log10, 8192},
                             {"sqrt", std::sqrt, 8192},       {"recip", [](Real x) { return 1 / x; }, 8192}};
  for (const Unary &entry : functions) {
    auto *function = library().function<float(float)>("test_half_" + std::string(entry.name));
    Worst worst;
    for (float x : xs)
      worst.add(error(function(x), [&](bool flush) { return entry.reference(flush ? flushed(x) : Real(x)); }), x);
    report(("half_" + std::string(entry.name)).c_str(), worst, entry.limit);
  }
  for (const Unary &entry : {Unary{"sin", std::sin, 8192}, {"cos", std::cos, 8192}, {"tan", std::tan, 8192}}) {
    auto *function = library().function<float(float)>("test_half_" + std::string(entry.name));
    Worst worst;
    for (float x : xs) {
      const float result = function(x);
      if (std::fabs(x) <= 0x1p16f || !std::isfinite(x))
        worst.add(error(result, [&](bool flush) { return entry.reference(flush ? flushed(x) : Real(x)); }), x);
      else
        CHECK(std::fabs(result) <= 1.0f);
    }
    report(("half_" + std::string(entry.name)).c_str(), worst, entry.limit);
  }
  auto *powr = library().function<float(float, float)>("test_half_powr");
  Worst worst;
  for (size_t i = 36; i < xs.size(); ++i) {
    const float x = std::fabs(xs[i]), y = ys[xs.size() - 1 - i];
    if (std::isfinite(x) && std::isfinite(y) && x >= 0x1p-126f)
      worst.add(error(powr(x, y), [&](bool flush) { return std::pow(Real(x), flush ? flushed(y) : Real(y)); }), x, y);
  }
  report("half_powr", worst, 8192);
}

TEST_CASE("powers with an integer exponent") {
  const std::vector<float> xs = samples(200000, 5);
  std::mt19937 random(6);
  auto *pown = library().function<float(float, int)>("test_pown");
  auto *rootn = library().function<float(float, int)>("test_rootn");
  Worst power, root;
  for (float x : xs) {
    const int n = random() % 2 ? int(random() % 41) - 20 : int(random());
    power.add(ulpError(pown(x, n), std::pow(Real(x), Real(n))), x, float(n));
    if (n == 0 || (x < 0 && n % 2 == 0)) {
      CHECK(std::isnan(rootn(x, n)));
      continue;
    }
    const Real magnitude = std::pow(std::fabs(Real(x)), 1.0L / n);
    root.add(ulpError(rootn(x, n), n % 2 ? std::copysign(magnitude, Real(x)) : magnitude), x, float(n));
  }
  report("pown", power, 16);
  report("rootn", root, 16);
}

TEST_CASE("floats are scaled by powers of two with one rounding") {
  auto *ldexp = library().function<float(float, int)>("test_ldexp");
  std::mt19937 random(31);
  for (float x : samples(20000, 30))
    for (int n : {0, 1, -1, -24, 127, -126, -149, 276, -300, int(random() % 600) - 300, int(random()), 2147483647,
                  -2147483647}) {
      const float want = std::ldexp(x, n), got = ldexp(x, n);
      INFO(x << " * 2^" << n);
      CHECK((std::bit_cast<uint32_t>(got) == std::bit_cast<uint32_t>(want) || (std::isnan(got) && std::isnan(want))));
    }
}
