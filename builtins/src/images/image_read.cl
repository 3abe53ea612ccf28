// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// read_image functions without a sampler. They behave as with a sampler for unnormalized coordinates, the nearest
// filter and no addressing mode. Nothing is read outside the image, where the result is undefined.
#include "image_decode.h"
#include "image_shapes.h"

#define READ(T, n, coordinates)                                                                                        \
  OVERLOADABLE float4 read_imagef(T image, int##n c) {                                                                 \
    return fetchFloat(__lanecl_image(image), TEXEL_##coordinates(c));                                                  \
  }                                                                                                                    \
  OVERLOADABLE half4 read_imageh(T image, int##n c) {                                                                  \
    return narrow(read_imagef(image, c));                                                                              \
  }                                                                                                                    \
  OVERLOADABLE int4 read_imagei(T image, int##n c) {                                                                   \
    return as_int4(fetchInteger(__lanecl_image(image), TEXEL_##coordinates(c)));                                       \
  }                                                                                                                    \
  OVERLOADABLE uint4 read_imageui(T image, int##n c) {                                                                 \
    return fetchInteger(__lanecl_image(image), TEXEL_##coordinates(c));                                                \
  }
#define DEPTH_READ(T, n, coordinates)                                                                                  \
  OVERLOADABLE float read_imagef(T image, int##n c) {                                                                  \
    return fetchFloat(__lanecl_image(image), TEXEL_##coordinates(c)).x;                                                \
  }

#define READS(T, n, coordinates, shape) READ(T, n, coordinates)
#define DEPTH_READS(T, n, coordinates, shape) DEPTH_READ(T, n, coordinates)
FOR_SHAPES(READS, read_only)
FOR_SHAPES(READS, read_write)
FOR_DEPTH_SHAPES(DEPTH_READS, read_only)
FOR_DEPTH_SHAPES(DEPTH_READS, read_write)
