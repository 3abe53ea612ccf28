// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Functions of float under -cl-fast-relaxed-math, with the errors of the specification's table "… With Unsafe Math
// Optimizations". Those of sines are 2^-11 there, but ours are smaller.
#include "../turns.h"

#include "support/session.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

using namespace lanecl::test;

namespace {

// In double precision for results that are normal numbers.
double unitOf(double want) {
  return std::ldexp(1.0, std::max(std::ilogb(want), -126) - 23);
}

double exponentialBound(double x, double want) {
  return (3 + std::floor(std::fabs(2 * x))) * unitOf(want);
}
double logarithmBound(double x, double want) {
  return x >= 0.5 && x <= 2 ? 0x1p-21 : 3 * unitOf(want);
}
double sineBound(double, double) {
  return 0x1p-19;
}
double wideBound(double, double want) {
  return 8192 * unitOf(want);
}

struct Relaxed {
  std::string name;
  double (*reference)(double);
  double low, high; // arguments; above zero they are spread over all exponents
  double (*bound)(double x, double want);
};
const Relaxed kFunctions[] = {{"exp", std::exp, -87, 88.7, exponentialBound},
                              {"exp2", std::exp2, -126, 127.9, exponentialBound},
                              {"exp10", [](double x) { return std::pow(10.0, x); }, -37, 38.5, wideBound},
                              {"log", std::log, 1.2e-38, 3e38, logarithmBound},
                              {"log", std::log, 0.4, 3, logarithmBound},
                              {"log2", std::log2, 1.2e-38, 3e38, logarithmBound},
                              {"log2", std::log2, 0.4, 3, logarithmBound},
                              {"log10", std::log10, 1.2e-38, 3e38, logarithmBound},
                              {"log10", std::log10, 0.4, 3, logarithmBound},
                              {"sin", std::sin, -1000, 1000, sineBound},
                              {"cos", std::cos, -1000, 1000, sineBound},
                              {"sin", std::sin, 66000, 3e38, sineBound},
                              {"cos", std::cos, 66000, 3e38, sineBound},
                              {"tan", std::tan, -1000, 1000, wideBound},
                              {"tan", std::tan, 66000, 3e38, wideBound}};

// exp2(y * log2(x)), with the errors of these two and of the product.
double powerBound(double x, double y, double want) {
  const double logarithm = std::log2(x), exponent = y * logarithm;
  const double of_logarithm = x >= 0.5 && x <= 2 ? 0x1p-21 : 3 * unitOf(logarithm);
  const double of_exponent = std::fabs(y) * of_logarithm + unitOf(exponent) / 2;
  return want * (std::exp2(of_exponent) - 1) + exponentialBound(exponent, want);
}

std::vector<float> arguments(double low, double high, size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> linear(low, high), exponents(std::log2(std::max(low, 1e-40)), std::log2(high));
  std::vector<float> values(count);
  for (float &x : values)
    x = float(low > 0 ? std::exp2(exponents(random)) : linear(random));
  return values;
}

constexpr size_t kItems = 1 << 14;

std::vector<float> evaluate(const Session &cl, const std::string &call, const std::string &options, size_t width,
                            const std::vector<float> &x, const std::vector<float> &y) {
  const Program program =
      cl.build("__attribute__((intel_reqd_sub_group_size(" + std::to_string(width) +
                   "))) kernel void k(global const float *in, global const float *in2, global float *out) {\n"
                   "  size_t i = get_global_id(0);\n"
                   "  float x = in[i], y = in2[i];\n"
                   "  out[i] = " +
                   call + ";\n}",
               "-cl-std=CL3.0 " + options);
  Memory out = cl.bytes(x.size() * sizeof(float));
  cl.run(cl.kernel(program, "k"), {x.size()}, {}, cl.buffer(x), cl.buffer(y), out);
  return cl.read<float>(out);
}

// The first result beyond its bound.
template <class Reference, class Bound>
void checkBounds(const std::vector<float> &x, const std::vector<float> &got, const Reference &reference,
                 const Bound &bound) {
  for (size_t i = 0; i < x.size(); ++i) {
    const double want = reference(i), error = std::fabs(got[i] - want);
    if (std::fabs(want) < 1.2e-38 || std::fabs(want) > 3.3e38 || error <= bound(i, want))
      continue;
    INFO("of " << x[i] << ": " << got[i] << " for " << want);
    CHECK(error <= bound(i, want));
    return;
  }
}

} // namespace

TEST_CASE("relaxed functions of one argument in lanes", "[relaxed]") {
  const Session cl;
  for (const size_t width : {8, 16, 32})
    for (const Relaxed &f : kFunctions) {
      INFO(f.name << ", sub-groups of " << width);
      const std::vector<float> x = arguments(f.low, f.high, kItems, 1);
      const std::vector<float> got = evaluate(cl, f.name + "(x)", "-cl-fast-relaxed-math", width, x, x);
      checkBounds(
          x, got, [&](size_t i) { return f.reference(x[i]); },
          [&](size_t i, double want) { return f.bound(x[i], want); });
    }
}

TEST_CASE("relaxed powers in lanes", "[relaxed]") {
  const Session cl;
  std::vector<float> x = arguments(1.2e-38, 3e38, kItems, 2), y = arguments(-30, 30, kItems, 3);
  for (size_t i = 0; i < kItems; i += 2)
    x[i] = float(0.4 + double(i) / kItems * 2);
  for (const size_t width : {8, 16, 32})
    for (const std::string name : {"pow", "powr"}) {
      INFO(name << ", sub-groups of " << width);
      const std::vector<float> got = evaluate(cl, name + "(x, y)", "-cl-unsafe-math-optimizations", width, x, y);
      checkBounds(
          x, got, [&](size_t i) { return std::pow(double(x[i]), double(y[i])); },
          [&](size_t i, double want) { return powerBound(x[i], y[i], want); });
    }
}

TEST_CASE("relaxed powers of negative numbers, zeros and infinities", "[relaxed]") {
  const float infinity = HUGE_VALF;
  const std::vector<float> x{-2, -2, 0, 0, infinity, infinity, -infinity, 1, 5, -2, 1},
      y{3, 2, 2, -1, 2, -2, 3, 7, 0, 0.5f, infinity};
  const std::vector<float> want{-8, 4, 0, infinity, infinity, 0, -infinity, 1, 1, std::nanf(""), 1};
  const Session cl;
  const std::vector<float> got = evaluate(cl, "pow(x, y)", "-cl-fast-relaxed-math", 8, x, y);
  for (size_t i = 0; i < x.size(); ++i) {
    INFO(x[i] << " to the power " << y[i]);
    CHECK((std::isnan(want[i]) ? std::isnan(got[i]) : got[i] == Approx(want[i]).epsilon(1e-5)));
  }
}

TEST_CASE("the relaxed sincos is the relaxed sine and cosine, of vectors and to every address space", "[relaxed]") {
  const Session cl;
  const std::vector<float> x = arguments(-100, 100, 256, 4);
  for (const std::string space : {"private", "global", "local"}) {
    const std::string place = space == "private" ? "float4 place;\n  private float4 *c = &place"
                              : space == "local" ? "local float4 places[256];\n  local float4 *c = places + i"
                                                 : "global float4 *c = cosines + i";
    const Program program =
        cl.build("kernel void k(global const float *in, global float4 *cosines, global int *same) {\n"
                 "  size_t i = get_global_id(0);\n"
                 "  float4 x = (float4)(in[i], 2 * in[i], -in[i], 0.5f);\n  " +
                     place +
                     ";\n  float4 s = sincos(x, c);\n"
                     "  same[i] = all(s == sin(x)) && all(*c == cos(x));\n"
                     "}",
                 "-cl-std=CL3.0 -cl-fast-relaxed-math");
    Memory same = cl.bytes(x.size() * sizeof(int)), cosines = cl.bytes(x.size() * 16);
    cl.run(cl.kernel(program, "k"), {x.size()}, {x.size()}, cl.buffer(x), cosines, same);
    CHECK(cl.read<int>(same) == std::vector<int>(x.size(), 1));
  }
}

TEST_CASE("functions are exact where quotients and roots are asked to be", "[relaxed]") {
  const Session cl;
  const std::vector<float> x = arguments(-80, 80, 4096, 5);
  const auto results = [&](const std::string &options) { return evaluate(cl, "exp(x)", options, 16, x, x); };
  const std::vector<float> exact = results("");
  CHECK(results("-cl-fast-relaxed-math") != exact);
  CHECK(results("-cl-mad-enable -cl-no-signed-zeros -cl-finite-math-only") == exact);
  CHECK(results("-cl-fast-relaxed-math -cl-fp32-correctly-rounded-divide-sqrt") == exact);
}
