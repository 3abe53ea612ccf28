// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// read_image functions with a sampler.
#include "image_decode.h"
#include "image_shapes.h"

// Returns the weighted sum of the elements next to a position. The nearest filter is a sum of one element. If the
// sampler is not known at compile time, the loop is not unrolled, so that the format's switches are emitted only once.
INLINE float4 filter(Image image, uint sampler, Spot spot, int filtered) {
  const bool linear = (sampler & CLK_FILTER_LINEAR) != 0;
  const uint count = linear ? 1u << filtered : 1u;
  float4 sum = (float4)(0.0f);
  for (uint i = 0; i < count; ++i) {
    const bool high_x = (i & 1) != 0, high_y = (i & 2) != 0, high_z = (i & 4) != 0;
    const Texel at = {high_x ? spot.x.high : spot.x.low, high_y ? spot.y.high : spot.y.low,
                      high_z ? spot.z.high : spot.z.low};
    const float4 color = fetchFloat(image, at);
    float weight = high_x ? spot.x.fraction : 1.0f - spot.x.fraction;
    if (filtered > 1)
      weight *= high_y ? spot.y.fraction : 1.0f - spot.y.fraction;
    if (filtered > 2)
      weight *= high_z ? spot.z.fraction : 1.0f - spot.z.fraction;
    sum = linear ? sum + weight * color : color;
  }
  return sum;
}

INLINE float4 sampleFloat(Image image, uint sampler, float x, float y, float z, SHAPE_PARAMETERS) {
  return filter(image, sampler, locateAll(image, sampler, x, y, z, SHAPE), filtered);
}
INLINE uint4 sampleInteger(Image image, uint sampler, float x, float y, float z, SHAPE_PARAMETERS) {
  return fetchInteger(image, nearest(locateAll(image, sampler, x, y, z, SHAPE)));
}

// Defines a function R name(image, sampler, coordinates) for integer and for float coordinates. Kind is Float or
// Integer, and `convert` makes the result of the color.
#define READ(T, n, coordinates, shape, R, name, Kind, convert)                                                         \
  OVERLOADABLE R name(T image, sampler_t sampler, int##n c) {                                                          \
    Image i = __lanecl_image(image);                                                                                   \
    return convert(fetch##Kind(i, addressed(i, __lanecl_sampler(sampler), TEXEL_##coordinates(c), SHAPE_##shape)));    \
  }                                                                                                                    \
  OVERLOADABLE R name(T image, sampler_t sampler, float##n c) {                                                        \
    return convert(                                                                                                    \
        sample##Kind(__lanecl_image(image), __lanecl_sampler(sampler), COORDINATES_##coordinates(c), SHAPE_##shape));  \
  }
#define SAME(color) color
#define FIRST(color) (color).x

#define READS(T, n, coordinates, shape)                                                                                \
  READ(T, n, coordinates, shape, float4, read_imagef, Float, SAME)                                                     \
  READ(T, n, coordinates, shape, int4, read_imagei, Integer, as_int4)                                                  \
  READ(T, n, coordinates, shape, uint4, read_imageui, Integer, SAME)                                                   \
  READ(T, n, coordinates, shape, half4, read_imageh, Float, narrow)
FOR_SAMPLED_SHAPES(READS, read_only)

#define DEPTH_READ(T, n, coordinates, shape) READ(T, n, coordinates, shape, float, read_imagef, Float, FIRST)
FOR_DEPTH_SHAPES(DEPTH_READ, read_only)
