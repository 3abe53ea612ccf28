// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Declares the lane instructions, which vectorizer/contract/lane_instructions.def describes.
#pragma once

#include "types.h"

#define DECLARE(T, I)                                                                                                  \
  PURE T __lanecl_scale(T x, T n, I bits);                                                                             \
  PURE T __lanecl_mantissa(T x);                                                                                       \
  PURE T __lanecl_exponent(T x);                                                                                       \
  PURE T __lanecl_floor_exponent(T x);                                                                                 \
  PURE T __lanecl_nearest_rest(T x);                                                                                   \
  PURE T __lanecl_floor_rest(T x);                                                                                     \
  PURE T __lanecl_reciprocal_estimate(T x);                                                                            \
  PURE T __lanecl_reciprocal_root_estimate(T x);
DECLARE(float, int)
DECLARE(double, ulong)
#undef DECLARE
PURE float __lanecl_rough_reciprocal(float x);
PURE float __lanecl_rough_reciprocal_root(float x);
PURE double __lanecl_lookup(__constant const double *table, ulong index);
PURE int __lanecl_has_lane_instructions(void);
PURE int __lanecl_has_half_arithmetic(void);
