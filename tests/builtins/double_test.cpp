// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Double-precision functions against the host's long double, in ulp, with the limits of the OpenCL specification.
#include "host_library.h"
#include "turns.h"

#include <bit>
#include <catch2/catch.hpp>
#include <climits>
#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

namespace {

using lanecl::test::cosPi, lanecl::test::kPi, lanecl::test::Real, lanecl::test::sinPi;

// The distance of `got` from the exact `want` in units of the last place of the double nearest to it.
double ulpError(double got, Real want) {
  const double rounded = static_cast<double>(want);
  if (std::isnan(rounded) || std::isnan(got))
    return std::isnan(rounded) && std::isnan(got) ? 0 : INFINITY;
  if (got == rounded)
    return got == 0 && std::signbit(got) != std::signbit(rounded) ? INFINITY
           : std::isinf(got)                                      ? 0
                                                                  : // exact, or less
               double(std::fabs(Real(got) - want) / std::ldexp(1.0L, std::max(std::ilogb(want), -1022) - 52));
  if (std::isinf(rounded) || std::isinf(got)) {
    // One step across the border of overflow is an error of that size, no more.
    const Real value = std::isinf(got) ? std::copysign(0x1p1024L, Real(got)) : Real(got);
    want = std::isinf(want) ? std::copysign(0x1p1024L, want) : want;
    return double(std::fabs(value - want) / 0x1p971L);
  }
  const int exponent = std::max(std::ilogb(rounded == 0 ? 0x1p-1074 : rounded), -1022);
  return double(std::fabs(Real(got) - want) / std::ldexp(1.0L, exponent - 52));
}

// Every exponent and sign, and what is special about doubles.
std::vector<double> samples(size_t count, uint64_t seed) {
  std::vector<double> values{0.0,
                             -0.0,
                             1.0,
                             -1.0,
                             0.5,
                             -0.5,
                             2.0,
                             -2.0,
                             3.0,
                             1.5,
                             INFINITY,
                             -INFINITY,
                             NAN,
                             0x1p-1074,
                             1e-300,
                             -1e-30,
                             0x1p-27,
                             -0x1p53,
                             0x1p52,
                             0x1p1023,
                             -0x1p1023,
                             0x1p-1022,
                             709.78,
                             -708.4,
                             -745.1,
                             710.0,
                             -746.0,
                             1024.0,
                             -1074.0,
                             -1075.0,
                             308.25,
                             -323.3,
                             -37.5,
                             0x1p30,
                             -0x1p30,
                             524288.0,
                             0x1p19,
                             6381956970095103.0 * 0x1p797, // closest to a multiple of pi/2
                             M_PI,
                             M_PI_2 * 3,
                             1e22,
                             11.0,
                             22.0,
                             355.0,
                             0.9999999999999999,
                             1.0000000000000002,
                             0x1.fffffffffffffp1023};
  std::mt19937_64 random(seed);
  while (values.size() < count / 3)
    values.push_back(std::bit_cast<double>(uint64_t(random())));
  std::uniform_real_distribution<double> near(-2.0, 2.0), moderate(-40.0, 40.0), far(-750.0, 750.0);
  while (values.size() < count) {
    values.push_back(near(random));
    values.push_back(moderate(random));
    values.push_back(far(random));
  }
  return values;
}

Real tanPi(Real x) {
  return sinPi(x) / cosPi(x);
}

// The host's has no value at poles, but a sign.
Real gammaReference(Real x) {
  return x < 0 && std::trunc(x) == x ? NAN : std::tgamma(x);
}

struct Function {
  const char *name;
  Real (*reference)(Real);
  double limit;
};
constexpr Function kFunctions[] = {{"exp", std::exp, 3},
                                   {"exp2", std::exp2, 3},
                                   {"exp10", [](Real x) { return std::pow(10.0L, x); }, 3},
                                   {"log", std::log, 3},
                                   {"log2", std::log2, 3},
                                   {"log10", std::log10, 3},
                                   {"log1p", std::log1p, 2},
                                   {"expm1", std::expm1, 3},
                                   {"sin", std::sin, 4},
                                   {"cos", std::cos, 4},
                                   {"tan", std::tan, 5},
                                   {"sinh", std::sinh, 4},
                                   {"cosh", std::cosh, 4},
                                   {"tanh", std::tanh, 5},
                                   {"asinh", std::asinh, 4},
                                   {"acosh", std::acosh, 4},
                                   {"atanh", std::atanh, 5},
                                   {"tgamma", gammaReference, 16},
                                   {"asin", std::asin, 4},
                                   {"acos", std::acos, 4},
                                   {"atan", std::atan, 5},
                                   {"cbrt", std::cbrt, 2},
                                   {"rsqrt", [](Real x) { return 1 / std::sqrt(x); }, 2},
                                   {"erf", std::erf, 16},
                                   {"erfc", std::erfc, 16},
                                   {"sinpi", sinPi, 4},
                                   {"cospi", cosPi, 4},
                                   {"tanpi", tanPi, 6},
                                   {"asinpi", [](Real x) { return std::asin(x) / kPi; }, 5},
                                   {"atanpi", [](Real x) { return std::atan(x) / kPi; }, 5}};

const HostLibrary &library() {
  static const HostLibrary instance([] {
    std::string source;
    for (const Function &f : kFunctions)
      source += "double test_" + std::string(f.name) + "(double x) { return " + f.name + "(x); }\n";
    return source + "double test_atan2(double y, double x) { return atan2(y, x); }\n"
                    "double test_atan2pi(double y, double x) { return atan2pi(y, x); }\n"
                    "double test_pow(double x, double y) { return pow(x, y); }\n"
                    "double test_powr(double x, double y) { return powr(x, y); }\n"
                    "double test_pown(double x, int n) { return pown(x, n); }\n"
                    "double test_rootn(double x, int n) { return rootn(x, n); }\n"
                    "double test_ldexp(double x, int n) { return ldexp(x, n); }\n"
                    "double test_cosine(double x) { double c; sincos(x, &c); return c; }\n"
                    "double test_sine(double x) { double c; return sincos(x, &c); }\n";
  }());
  return instance;
}

struct Worst {
  double ulp = 0, x = 0, y = 0;
  void add(double error, double at_x, double at_y = 0) {
    if (error > ulp || std::isnan(error))
      *this = {error, at_x, at_y};
  }
  void report(const char *name, double limit) const {
    std::printf("%-8s %8.3f ulp (limit %g) at %a, %a\n", name, ulp, limit, x, y);
    INFO(name << " at " << x << ", " << y);
    CHECK(ulp <= limit);
  }
};

} // namespace

TEST_CASE("functions of one double keep the specification's limits") {
  const std::vector<double> inputs = samples(200000, 1);
  for (const Function &entry : kFunctions) {
    auto *function = library().function<double(double)>("test_" + std::string(entry.name));
    Worst worst;
    for (double x : inputs)
      worst.add(ulpError(function(x), entry.reference(x)), x);
    worst.report(entry.name, entry.limit);
  }
  auto *cosine = library().function<double(double)>("test_cosine");
  auto *sine = library().function<double(double)>("test_sine");
  Worst worst_cosine, worst_sine;
  for (double x : inputs) {
    worst_cosine.add(ulpError(cosine(x), std::cos(Real(x))), x);
    worst_sine.add(ulpError(sine(x), std::sin(Real(x))), x);
  }
  worst_cosine.report("sincos, cosine", 4);
  worst_sine.report("sincos, sine", 4);
}

TEST_CASE("angles of points keep the specification's limits") {
  const std::vector<double> ys = samples(200000, 2);
  std::vector<double> xs = samples(200000, 3);
  std::shuffle(xs.begin() + 50, xs.end(), std::mt19937(4));
  auto *atan2 = library().function<double(double, double)>("test_atan2");
  auto *atan2pi = library().function<double(double, double)>("test_atan2pi");
  Worst worst, worst_turn;
  const auto add = [&](double y, double x) {
    const Real angle = std::atan2(Real(y), Real(x));
    worst.add(ulpError(atan2(y, x), angle), y, x);
    worst_turn.add(ulpError(atan2pi(y, x), angle / kPi), y, x);
  };
  for (size_t i = 0; i < xs.size(); ++i)
    add(ys[i], xs[i]);
  for (size_t i = 0; i < 40; ++i)
    for (size_t j = 0; j < 40; ++j) // samples() starts with the special values
      add(ys[i], ys[j]);
  worst.report("atan2", 6);
  worst_turn.report("atan2pi", 6);
  for (double sign : {1.0, -1.0}) {
    CHECK(atan2pi(sign, -0.0) == sign * 0.5);
    CHECK(atan2pi(sign, sign) == (sign > 0 ? 0.25 : -0.75));
    CHECK(atan2pi(sign * 0.0, -1.0) == sign);
    CHECK(atan2pi(sign * INFINITY, -INFINITY) == sign * 0.75);
  }
}

TEST_CASE("powers of doubles keep the specification's limits") {
  const std::vector<double> xs = samples(200000, 5);
  std::vector<double> ys = samples(200000, 6);
  std::shuffle(ys.begin() + 50, ys.end(), std::mt19937(7));
  auto *pow = library().function<double(double, double)>("test_pow");
  auto *powr = library().function<double(double, double)>("test_powr");
  auto *pown = library().function<double(double, int)>("test_pown");
  auto *rootn = library().function<double(double, int)>("test_rootn");
  Worst worst, of_positive, of_integer, root;
  const auto add = [&](double x, double y) {
    worst.add(ulpError(pow(x, y), std::pow(Real(x), Real(y))), x, y);
    const int n = std::isfinite(y) ? int(std::fmod(y, 2000.0)) : 3;
    of_integer.add(ulpError(pown(x, n), std::pow(Real(x), Real(n))), x, n);
    if (x > 0 && std::isfinite(x) && std::isfinite(y))
      of_positive.add(ulpError(powr(x, y), std::pow(Real(x), Real(y))), x, y);
    if (n == 0 || (x < 0 && n % 2 == 0)) {
      CHECK(std::isnan(rootn(x, n)));
      return;
    }
    const Real magnitude = std::pow(std::fabs(Real(x)), 1 / Real(n));
    root.add(ulpError(rootn(x, n), n % 2 ? std::copysign(magnitude, Real(x)) : magnitude), x, n);
  };
  for (size_t i = 0; i < xs.size(); ++i) {
    add(xs[i], ys[i]);
    // Results that are neither infinite nor zero.
    const double y = std::log2(std::fabs(xs[i]));
    if (std::isfinite(y) && y != 0)
      add(std::fabs(xs[i]), (double(i % 2150) - 1075) / y);
  }
  for (size_t i = 0; i < 50; ++i)
    for (size_t j = 0; j < 50; ++j) // samples() starts with the special values
      add(xs[i], xs[j]);
  worst.report("pow", 16);
  of_positive.report("powr", 16);
  of_integer.report("pown", 16);
  root.report("rootn", 16);
  CHECK(std::isnan(powr(-1.0, 2.0)));
  CHECK(std::isnan(powr(0.0, 0.0)));
  CHECK(std::isnan(powr(INFINITY, 0.0)));
  CHECK(std::isnan(powr(1.0, INFINITY)));
  CHECK(std::isnan(powr(1.0, NAN)));
  CHECK(powr(0.0, -1.0) == INFINITY);
}

TEST_CASE("doubles are scaled by powers of two with one rounding") {
  auto *ldexp = library().function<double(double, int)>("test_ldexp");
  const std::vector<double> xs = samples(20000, 8);
  std::mt19937 random(9);
  for (double x : xs)
    for (int n : {0, 1, -1, -53, 1023, -1022, -1075, 2098, -2200, int(random() % 4400) - 2200, int(random()), INT_MAX,
                  INT_MIN}) {
      const double want = std::ldexp(x, n), got = ldexp(x, n);
      INFO(x << " * 2^" << n);
      CHECK((std::bit_cast<uint64_t>(got) == std::bit_cast<uint64_t>(want) || (std::isnan(got) && std::isnan(want))));
    }
}
