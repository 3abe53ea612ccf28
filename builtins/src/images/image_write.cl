// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// write_image functions.
#include "image_encode.h"
#include "image_shapes.h"

#define WRITES(T, n, coordinates, shape)                                                                               \
  OVERLOADABLE void write_imagef(T image, int##n c, float4 color) {                                                    \
    writeFloat(__lanecl_image(image), TEXEL_##coordinates(c), color);                                                  \
  }                                                                                                                    \
  OVERLOADABLE void write_imageh(T image, int##n c, half4 color) {                                                     \
    write_imagef(image, c, widen(color));                                                                              \
  }                                                                                                                    \
  OVERLOADABLE void write_imagei(T image, int##n c, int4 color) {                                                      \
    writeInteger(__lanecl_image(image), TEXEL_##coordinates(c), as_uint4(color));                                      \
  }                                                                                                                    \
  OVERLOADABLE void write_imageui(T image, int##n c, uint4 color) {                                                    \
    writeInteger(__lanecl_image(image), TEXEL_##coordinates(c), color);                                                \
  }
#define DEPTH_WRITES(T, n, coordinates, shape)                                                                         \
  OVERLOADABLE void write_imagef(T image, int##n c, float depth) {                                                     \
    writeFloat(__lanecl_image(image), TEXEL_##coordinates(c), (float4)(depth));                                        \
  }

FOR_SHAPES(WRITES, write_only)
FOR_SHAPES(WRITES, read_write)
FOR_DEPTH_SHAPES(DEPTH_WRITES, write_only)
FOR_DEPTH_SHAPES(DEPTH_WRITES, read_write)
