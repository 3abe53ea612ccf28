// Double-precision functions against the host's long double, in ulp, with the limits of the OpenCL specification.
#define CATCH_CONFIG_MAIN
#include "host_library.h"

#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

namespace {

using Real = long double;

constexpr Real kPi = 3.14159265358979323846264338327950288L;

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

struct Function {
  const char *name;
  Real (*reference)(Real);
  double limit;
};
constexpr Function kFunctions[] = {
    {"exp", std::exp, 3},     {"exp2", std::exp2, 3},   {"exp10", [](Real x) { return std::pow(10.0L, x); }, 3},
    {"log", std::log, 3},     {"log2", std::log2, 3},   {"log10", std::log10, 3},
    {"log1p", std::log1p, 2}, {"expm1", std::expm1, 3}, {"sin", std::sin, 4},
    {"cos", std::cos, 4},     {"tan", std::tan, 5},     {"sinh", std::sinh, 4},
    {"cosh", std::cosh, 4},   {"tanh", std::tanh, 5},   {"asinh", std::asinh, 4},
    {"acosh", std::acosh, 4}, {"atanh", std::atanh, 5}};

const HostLibrary &library() {
  static const HostLibrary instance([] {
    std::string source;
    for (const Function &f : kFunctions)
      source += "double test_" + std::string(f.name) + "(double x) { return " + f.name + "(x); }\n";
    return source + "double test_atan2(double y, double x) { return atan2(y, x); }\n"
                    "double test_atan2pi(double y, double x) { return atan2pi(y, x); }\n"
                    "double test_cosine(double x) { double c; sincos(x, &c); return c; }\n";
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
  auto *cos = library().function<double(double)>("test_cos");
  for (double x : inputs)
    CHECK(std::bit_cast<uint64_t>(cosine(x)) == std::bit_cast<uint64_t>(cos(x)));
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
