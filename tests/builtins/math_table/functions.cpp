// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "functions.h"

#include <cmath>

namespace lanecl::test {
namespace {

Real exp10Reference(Real x) {
  return std::isfinite(x) ? std::pow(10.0L, x) : std::exp(x);
}
Real reciprocalRoot(Real x) {
  return 1 / std::sqrt(x);
}
Real reciprocal(Real x) {
  return 1 / x;
}
Real asinPi(Real x) {
  return std::asin(x) / kPi;
}
Real acosPi(Real x) {
  return std::acos(x) / kPi;
}
Real atanPi(Real x) {
  return std::atan(x) / kPi;
}
Real atan2Pi(Real y, Real x) {
  return std::atan2(y, x) / kPi;
}
Real sigmoid(Real x) {
  return 1 / (1 + std::exp(-x));
}
// Unlike pow, of no negative base and of no indefinite form.
Real powr(Real x, Real y) {
  const bool indefinite = (y == 0 && (x == 0 || std::isinf(x))) || (x == 1 && std::isinf(y)) || std::isnan(y);
  return x < 0 || std::isnan(x) || indefinite ? Real(NAN) : std::pow(std::fabs(x), y);
}

} // namespace

const std::vector<UnaryFunction> &unaryFunctions() {
  static const std::vector<UnaryFunction> list{{"exp", std::exp, 3, 3},
                                               {"exp2", std::exp2, 3, 3},
                                               {"exp10", exp10Reference, 3, 3},
                                               {"expm1", std::expm1, 3, 3},
                                               {"log", std::log, 3, 3},
                                               {"log2", std::log2, 3, 3},
                                               {"log10", std::log10, 3, 3},
                                               {"log1p", std::log1p, 2, 2},
                                               {"sin", std::sin, 4, 4},
                                               {"cos", std::cos, 4, 4},
                                               {"sin_beside_cos", std::sin, 4, 4},
                                               {"cos_beside_sin", std::cos, 4, 4},
                                               {"tan", std::tan, 5, 5},
                                               {"sinpi", sinPi, 4, 4},
                                               {"cospi", cosPi, 4, 4},
                                               {"asin", std::asin, 4, 4},
                                               {"acos", std::acos, 4, 4},
                                               {"atan", std::atan, 5, 5},
                                               {"asinpi", asinPi, 5, 5},
                                               {"acospi", acosPi, 5, 5},
                                               {"atanpi", atanPi, 5, 5},
                                               {"sinh", std::sinh, 4, 4},
                                               {"cosh", std::cosh, 4, 4},
                                               {"tanh", std::tanh, 5, 5},
                                               {"asinh", std::asinh, 4, 4},
                                               {"acosh", std::acosh, 4, 4},
                                               {"atanh", std::atanh, 5, 5},
                                               {"cbrt", std::cbrt, 2, 2},
                                               {"rsqrt", reciprocalRoot, 2, 2},
                                               {"sqrt", std::sqrt, 0.501, 0.501},
                                               {"erf", std::erf, 16, 16},
                                               {"erfc", std::erfc, 16, 16}};
  return list;
}

const std::vector<UnaryFunction> &floatFunctions() {
  static const std::vector<UnaryFunction> list{{"intel_sigmoid", sigmoid, 4, 0}};
  return list;
}

const std::vector<BinaryFunction> &binaryFunctions() {
  static const std::vector<BinaryFunction> list{
      {"pow", std::pow, 16},    {"powr", powr, 16},     {"atan2", std::atan2, 6},        {"atan2pi", atan2Pi, 6},
      {"hypot", std::hypot, 4}, {"fmod", std::fmod, 0}, {"remainder", std::remainder, 0}};
  return list;
}

const std::vector<NativeFunction> &nativeFunctions() {
  static const std::vector<NativeFunction> list{{"native_exp", std::exp, -20, 20, 0x1p-16, false},
                                                {"native_exp2", std::exp2, -126, 127, 0x1p-17, false},
                                                {"native_exp10", exp10Reference, -10, 10, 0x1p-16, false},
                                                {"native_log", std::log, 1e-30f, 1e30f, 0x1p-16, false},
                                                {"native_log2", std::log2, 1e-30f, 1e30f, 0x1p-16, false},
                                                {"native_log10", std::log10, 1e-30f, 1e30f, 0x1p-16, false},
                                                {"native_sin", std::sin, -1000, 1000, 0x1p-20, true},
                                                {"native_cos", std::cos, -1000, 1000, 0x1p-20, true},
                                                {"native_recip", reciprocal, 1e-37f, 1e37f, 0x1p-21, false},
                                                {"native_rsqrt", reciprocalRoot, 1e-37f, 1e37f, 0x1p-21, false},
                                                {"native_sqrt", std::sqrt, 1e-37f, 1e37f, 0x1p-21, false},
                                                {"half_exp", std::exp, -80, 80, 0x1p-11, false},
                                                {"half_log", std::log, 1e-30f, 1e30f, 0x1p-11, false},
                                                {"half_recip", reciprocal, 1e-37f, 1e37f, 0x1p-11, false},
                                                {"half_rsqrt", reciprocalRoot, 1e-37f, 1e37f, 0x1p-11, false},
                                                {"half_sqrt", std::sqrt, 1e-37f, 1e37f, 0x1p-11, false}};
  return list;
}

} // namespace lanecl::test
