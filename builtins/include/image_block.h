// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Helpers of the functions for blocks of images: conversions between vectors and the arrays that loops over rows work
// on.
#pragma once

// List the components of a vector as the elements of an array, and the other way round.
#define ELEMENTS_1(a) a
#define ELEMENTS_2(a) a.s0, a.s1
#define ELEMENTS_4(a) a.s0, a.s1, a.s2, a.s3
#define ELEMENTS_8(a) ELEMENTS_4(a), a.s4, a.s5, a.s6, a.s7
#define ELEMENTS_16(a) ELEMENTS_8(a), a.s8, a.s9, a.sa, a.sb, a.sc, a.sd, a.se, a.sf
#define COMPONENTS_1(a) a[0]
#define COMPONENTS_2(a) a[0], a[1]
#define COMPONENTS_4(a) COMPONENTS_2(a), a[2], a[3]
#define COMPONENTS_8(a) COMPONENTS_4(a), a[4], a[5], a[6], a[7]
#define COMPONENTS_16(a) COMPONENTS_8(a), a[8], a[9], a[10], a[11], a[12], a[13], a[14], a[15]

#define UNROLLED __attribute__((opencl_unroll_hint))
#define ROLLED __attribute__((opencl_unroll_hint(1)))
