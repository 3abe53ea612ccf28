// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Results stay in the range of their function: a cosine beyond 1 is within the specification's error, but has no
// arc cosine.
#include "../turns.h"
#include "support/session.hpp"

#include <catch2/catch.hpp>
#include <cmath>

using namespace lanecl::test;

namespace {

constexpr int kTurns = 1000, kNeighbors = 60;

// Around each of the first multiples of `quarter`: where sines and cosines are largest.
template <class T> std::vector<T> aroundMultiplesOf(Real quarter) {
  std::vector<T> values;
  for (int i = 1; i <= kTurns; ++i) {
    const T center = T(i * quarter);
    T above = center, below = center;
    for (int j = 0; j < kNeighbors; ++j) {
      values.push_back(i % 3 == 0 ? -above : above);
      values.push_back(below);
      above = std::nextafter(above, T(HUGE_VAL));
      below = std::nextafter(below, T(0));
    }
  }
  return values;
}

// From where a function is nearly 1 to where it is 1.
template <class T> std::vector<T> approaches() {
  std::vector<T> values;
  for (int i = 0; i < 100000; ++i)
    values.push_back((i % 2 ? -1 : 1) * T(2 + i * 1e-4));
  return values;
}

// How often |call| is above 1, with what it gave last.
template <class T>
void checkBelowOne(const std::string &type, const std::string &call, size_t width, const std::vector<T> &x) {
  const Session cl;
  const Program program = cl.build("__attribute__((intel_reqd_sub_group_size(" + std::to_string(width) +
                                       "))) kernel void k(global const T *in, global T *out) {\n"
                                       "  T x = in[get_global_id(0)], c;\n"
                                       "  out[get_global_id(0)] = " +
                                       call + ";\n}",
                                   "-cl-std=CL3.0 -DT=" + type);
  Memory out = cl.bytes(x.size() * sizeof(T));
  cl.run(cl.kernel(program, "k"), {x.size()}, {}, cl.buffer(x), out);
  const std::vector<T> got = cl.read<T>(out);
  for (size_t i = 0; i < x.size(); ++i)
    if (!(std::fabs(got[i]) <= 1)) {
      INFO(type << ' ' << call << " of " << x[i] << ", sub-groups of " << width);
      CHECK(std::fabs(got[i]) <= 1);
      return;
    }
}

template <class T> void checkRanges(const std::string &type) {
  const std::vector<T> angles = aroundMultiplesOf<T>(kPi / 2), halves = aroundMultiplesOf<T>(0.5L),
                       large = approaches<T>();
  for (const size_t width : {8, 16, 32}) {
    for (const std::string call :
         {"sin(x)", "cos(x)", "sincos(x, &c)", "(sincos(x, &c), c)", "sin(asin(sin(x)))", "cos(acos(cos(x)))"})
      checkBelowOne(type, call, width, angles);
    for (const std::string call : {"sinpi(x)", "cospi(x)"})
      checkBelowOne(type, call, width, halves);
    for (const std::string call : {"tanh(x)", "erf(x)"})
      checkBelowOne(type, call, width, large);
  }
}

} // namespace

TEST_CASE("sines, cosines, hyperbolic tangents and error functions are never beyond 1", "[ranges]") {
  checkRanges<float>("float");
  checkRanges<double>("double");
}
