// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// length, distance and normalize of float against the host's long double, which holds all of their sums of squares.
#include "host_library.h"

#include <array>
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace {

using Real = long double;
using Vector = std::vector<float>;

// Returns wrappers for vectors of 1 to 4 floats, as `void test_<name><n>(const float *x, const float *y, float
// *out)`.
std::string wrappers() {
  std::string source;
  for (int n = 1; n <= 4; ++n) {
    const std::string count = std::to_string(n), type = "float" + (n == 1 ? "" : count);
    const auto vector = [&](const std::string &name) {
      std::string text = "(" + type + ")(";
      for (int i = 0; i < n; ++i)
        text += (i == 0 ? "" : ", ") + name + "[" + std::to_string(i) + "]";
      return text + ")";
    };
    const std::string parameters = count + "(global const float *x, global const float *y, global float *out) { ";
    source += "void test_length" + parameters + "*out = length(" + vector("x") + "); }\n";
    source += "void test_distance" + parameters + "*out = distance(" + vector("x") + ", " + vector("y") + "); }\n";
    source += "void test_normalize" + parameters + type + " v = normalize(" + vector("x") + "); ";
    for (int i = 0; i < n; ++i)
      source += "out[" + std::to_string(i) + "] = v" + (n == 1 ? "" : std::string(".") + "xyzw"[i]) + "; ";
    source += "}\n";
  }
  return source;
}

Vector call(const std::string &name, const Vector &x, const Vector &y) {
  static const HostLibrary library(wrappers());
  using Function = void(const float *, const float *, float *);
  std::array<float, 4> out{};
  library.function<Function>("test_" + name + std::to_string(x.size()))(x.data(), y.data(), out.data());
  return {out.begin(), out.begin() + static_cast<std::ptrdiff_t>(name == "normalize" ? x.size() : 1)};
}

// Returns the error in units of the last place of the float nearest to `want`.
Real ulpError(float got, Real want) {
  const float nearest = static_cast<float>(want);
  if (std::isnan(nearest) || std::isinf(nearest))
    return std::isnan(nearest) ? (std::isnan(got) ? 0 : INFINITY) : (got == nearest ? 0 : INFINITY);
  const int exponent = nearest == 0 ? -126 : std::max(std::ilogb(nearest), -126);
  return std::fabs(Real(got) - want) / std::ldexp(Real(1), exponent - 23);
}

Real lengthOf(const Vector &v) {
  Real sum = 0;
  for (const float component : v)
    sum += Real(component) * Real(component);
  return std::sqrt(sum);
}

bool hasInfinity(const Vector &v) {
  return std::any_of(v.begin(), v.end(), [](float x) { return std::isinf(x); });
}

// "Edge Case Behavior" of OpenCL C: an infinite component counts as one of 1, the others as zeros.
Vector withoutInfinities(Vector v) {
  if (hasInfinity(v))
    for (float &x : v)
      x = std::isinf(x) ? std::copysign(1.0F, x) : 0.0F * x;
  return v;
}

// Includes the limits between vectors that are scaled and those that are not.
const Vector kSpecial = {0.0F,     -0.0F, 0x1p-149F, -0x1.8p-140F,   0x1p-126F, 0x1p-64F, -0x1.6p-51F,      0x1.6ap-50F,
                         1.0F,     -3.5F, 0x1.8p63F, 0x1.fffffep63F, -0x1p64F,  1e30F,    -0x1.fffffep127F, -INFINITY,
                         INFINITY, NAN};

// Calls `check` for vectors of all combinations of special numbers, and for random ones of all exponents.
template <typename Check> void forVectors(size_t n, Check check) {
  size_t combinations = 1;
  for (size_t i = 0; i < n; ++i)
    combinations *= kSpecial.size();
  for (size_t number = 0; number < combinations; ++number) {
    Vector v;
    for (size_t i = 0, rest = number; i < n; ++i, rest /= kSpecial.size())
      v.push_back(kSpecial[rest % kSpecial.size()]);
    check(v);
  }
  std::mt19937 random(n);
  std::uniform_real_distribution<float> moderate(-100.0F, 100.0F);
  for (int i = 0; i < 50000; ++i) {
    // Components of similar size contribute alike to the sum.
    const int exponent = static_cast<int>(random() % 250) - 130;
    Vector v;
    for (size_t j = 0; j < n; ++j)
      v.push_back(i % 3 == 0 ? std::bit_cast<float>(static_cast<uint32_t>(random()))
                             : std::ldexp(moderate(random), i % 3 == 1 ? 0 : exponent));
    check(v);
  }
}

// Collects the largest error, so that a test has one assertion and not a million.
struct Worst {
  Real ulp = 0;
  std::string where = "nowhere";
  void add(Real error, const Vector &v) {
    if (error <= ulp)
      return;
    ulp = error;
    where.clear();
    for (const float x : v)
      where += std::to_string(x) + " ";
  }
};

} // namespace

TEST_CASE("lengths keep the specification's limits, without overflow or underflow on the way") {
  for (size_t n = 1; n <= 4; ++n) {
    Worst worst;
    forVectors(n, [&](const Vector &v) { worst.add(ulpError(call("length", v, v)[0], lengthOf(v)), v); });
    INFO(n << " components: " << double(worst.ulp) << " ulp at " << worst.where);
    CHECK(worst.ulp <= 2.75L + 0.5L * Real(n));
  }
}

TEST_CASE("distances keep the specification's limits") {
  for (size_t n = 1; n <= 4; ++n) {
    Worst worst;
    Vector y(n, 0.25F);
    forVectors(n, [&](const Vector &x) {
      Vector difference;
      for (size_t i = 0; i < n; ++i)
        difference.push_back(x[i] - y[i]);
      worst.add(ulpError(call("distance", x, y)[0], lengthOf(difference)), x);
      y = x;
    });
    INFO(n << " components: " << double(worst.ulp) << " ulp at " << worst.where);
    CHECK(worst.ulp <= 2.75L + 0.5L * Real(n));
  }
}

TEST_CASE("normalized vectors keep the specification's limits, with zeros, infinities and NaNs") {
  for (size_t n = 1; n <= 4; ++n) {
    Worst worst;
    bool zeros_stay = true;
    forVectors(n, [&](const Vector &v) {
      const Vector got = call("normalize", v, v), finite = withoutInfinities(v);
      const Real length = lengthOf(finite);
      for (size_t i = 0; i < n; ++i) {
        zeros_stay &= length != 0 || (got[i] == 0 && std::signbit(got[i]) == std::signbit(v[i]));
        if (length != 0)
          worst.add(ulpError(got[i], std::isnan(length) ? length : Real(finite[i]) / length), v);
      }
    });
    INFO(n << " components: " << double(worst.ulp) << " ulp at " << worst.where);
    CHECK(worst.ulp <= 2 + Real(n));
    CHECK(zeros_stay);
  }
}
