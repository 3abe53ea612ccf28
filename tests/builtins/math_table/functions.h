// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The mathematical functions of float and double that are tested in lanes: the host's long double reference, and the
// specification's limits for the full profile ("Relative Error as ULPs").
#pragma once

#include "../turns.h"

#include <limits>
#include <string>
#include <vector>

namespace lanecl::test {

struct UnaryFunction {
  std::string name;
  Real (*reference)(Real);
  double float_limit, double_limit; // in ulp; 0: the result is exact, or the type is not there
};
const std::vector<UnaryFunction> &unaryFunctions();
// Those that double does not have. No text limits their errors.
const std::vector<UnaryFunction> &floatFunctions();

struct BinaryFunction {
  std::string name;
  Real (*reference)(Real, Real);
  double limit;
};
const std::vector<BinaryFunction> &binaryFunctions();

// Functions that only float has: the error is relative, or absolute for the sine and the cosine.
struct NativeFunction {
  std::string name;
  Real (*reference)(Real);
  float low, high; // where the error is bounded
  double error;
  bool is_absolute;
};
const std::vector<NativeFunction> &nativeFunctions();

// Zeros, infinities, NaN, the ends of ranges and neighbors of what a function treats differently.
template <class T> std::vector<T> specialValues() {
  using Limits = std::numeric_limits<T>;
  std::vector<T> values{Limits::quiet_NaN()};
  for (const T x : {T(0),
                    Limits::denorm_min(),
                    Limits::denorm_min() * 3,
                    Limits::min(),
                    Limits::min() / 2,
                    T(1e-30),
                    Limits::epsilon(),
                    T(0.5),
                    T(0.75),
                    T(1) - Limits::epsilon() / 2,
                    T(1),
                    T(1) + Limits::epsilon(),
                    T(1.5),
                    T(2),
                    T(2.5),
                    T(3),
                    T(88.5),
                    T(104),
                    T(127),
                    T(150),
                    T(710),
                    T(745),
                    T(1024),
                    T(1e5),
                    T(8388607.5),
                    T(1e30),
                    Limits::max(),
                    Limits::infinity()}) {
    values.push_back(x);
    values.push_back(-x);
  }
  return values;
}

} // namespace lanecl::test
