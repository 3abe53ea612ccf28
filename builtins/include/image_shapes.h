// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The image types with their coordinates, for files that define one function for each.
#pragma once

#include "image_address.h"

#define TEXEL_1D(c) ((Texel){(c), 0, 0})
#define TEXEL_2D(c) ((Texel){(c).x, (c).y, 0})
#define TEXEL_3D(c) ((Texel){(c).x, (c).y, (c).z})
#define COORDINATES_1D(c) (c), 0.0f, 0.0f
#define COORDINATES_2D(c) (c).x, (c).y, 0.0f
#define COORDINATES_3D(c) (c).x, (c).y, (c).z
#define SHAPE_1D 1, 0
#define SHAPE_1D_ARRAY 1, 1
#define SHAPE_2D 2, 0
#define SHAPE_2D_ARRAY 2, 2
#define SHAPE_3D 3, 0

// Expands M(image type, suffix of the coordinate type, coordinates, shape). An array's last coordinate selects the
// image.
#define FOR_SAMPLED_SHAPES(M, access)                                                                                  \
  M(access image1d_t, , 1D, 1D)                                                                                        \
  M(access image1d_array_t, 2, 2D, 1D_ARRAY)                                                                           \
  M(access image2d_t, 2, 2D, 2D)                                                                                       \
  M(access image2d_array_t, 4, 3D, 2D_ARRAY) M(access image3d_t, 4, 3D, 3D)
#define FOR_SHAPES(M, access) FOR_SAMPLED_SHAPES(M, access) M(access image1d_buffer_t, , 1D, 1D)
#define FOR_DEPTH_SHAPES(M, access)                                                                                    \
  M(access image2d_depth_t, 2, 2D, 2D) M(access image2d_array_depth_t, 4, 3D, 2D_ARRAY)
