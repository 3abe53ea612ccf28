// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "check/values/math_functions.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace lanecl::vectorizer {

static constexpr StringLiteral kFunctions[] = {
    "acos",     "acosh",  "acospi",  "asin",          "asinh",    "asinpi",    "atan",          "atan2",
    "atan2pi",  "atanh",  "atanpi",  "cbrt",          "ceil",     "clamp",     "copysign",      "cos",
    "cosh",     "cospi",  "cross",   "degrees",       "distance", "dot",       "erf",           "erfc",
    "exp",      "exp10",  "exp2",    "expm1",         "fabs",     "fdim",      "floor",         "fma",
    "fmax",     "fmin",   "fmod",    "fract",         "frexp",    "hypot",     "ldexp",         "length",
    "lgamma",   "log",    "log10",   "log1p",         "log2",     "logb",      "mad",           "max",
    "maxmag",   "min",    "minmag",  "mix",           "modf",     "nextafter", "normalize",     "pow",
    "pown",     "powr",   "radians", "remainder",     "remquo",   "rint",      "rootn",         "round",
    "rsqrt",    "sign",   "sin",     "sincos",        "sinh",     "sinpi",     "smoothstep",    "sqrt",
    "step",     "tan",    "tanh",    "tanpi",         "tgamma",   "trunc",     "fast_distance", "fast_length",
    "lgamma_r", "divide", "recip",   "fast_normalize"};

bool mayGiveNan(StringRef name) {
  if (!name.consume_front("native_"))
    name.consume_front("half_");
  return is_contained(kFunctions, name);
}

} // namespace lanecl::vectorizer
