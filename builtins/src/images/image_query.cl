// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The functions get_image_width, get_image_dim and so on.
#include "image.h"

// Defines the queries that all images have.
#define WIDTH(T)                                                                                                       \
  OVERLOADABLE int get_image_width(T image) {                                                                          \
    return __lanecl_image(image)->extent[0];                                                                           \
  }                                                                                                                    \
  OVERLOADABLE int get_image_channel_data_type(T image) {                                                              \
    return (int)__lanecl_image(image)->format.channel_type;                                                                   \
  }                                                                                                                    \
  OVERLOADABLE int get_image_channel_order(T image) {                                                                  \
    return (int)__lanecl_image(image)->format.channel_order;                                                                  \
  }
#define HEIGHT(T)                                                                                                      \
  OVERLOADABLE int get_image_height(T image) {                                                                         \
    return __lanecl_image(image)->extent[1];                                                                           \
  }
// Defines the queries of two-dimensional images, arrays included.
#define PLANE(T)                                                                                                       \
  HEIGHT(T)                                                                                                            \
  OVERLOADABLE int2 get_image_dim(T image) {                                                                           \
    return (int2)(get_image_width(image), get_image_height(image));                                                    \
  }
// Defines the query of arrays. `coordinate` is the one that selects an image.
#define LAYERS(T, coordinate)                                                                                          \
  OVERLOADABLE size_t get_image_array_size(T image) {                                                                  \
    return (size_t)__lanecl_image(image)->extent[coordinate];                                                          \
  }
#define VOLUME(T)                                                                                                      \
  HEIGHT(T)                                                                                                            \
  OVERLOADABLE int get_image_depth(T image) {                                                                          \
    return __lanecl_image(image)->extent[2];                                                                           \
  }                                                                                                                    \
  OVERLOADABLE int4 get_image_dim(T image) {                                                                           \
    return (int4)(get_image_width(image), get_image_height(image), get_image_depth(image), 0);                         \
  }

#define QUERIES(access)                                                                                                \
  FOR_IMAGES(WIDTH, access)                                                                                            \
  PLANE(access image2d_t)                                                                                              \
  PLANE(access image2d_array_t)                                                                                        \
  PLANE(access image2d_depth_t)                                                                                        \
  PLANE(access image2d_array_depth_t)                                                                                  \
  VOLUME(access image3d_t)                                                                                             \
  LAYERS(access image1d_array_t, 1)                                                                                    \
  LAYERS(access image2d_array_t, 2) LAYERS(access image2d_array_depth_t, 2)
QUERIES(read_only)
QUERIES(write_only)
QUERIES(read_write)
