// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The properties of an image: format, sizes, and the descriptor that kernels read.
#pragma once

#include "memory/image_format.h"
#include "memory/rect.h"

namespace lanecl::icd {

class Memory;

// A box of elements: what origin and region of the commands on images describe. Coordinates that an image does not have
// begin at 0 and have the size 1; the images of an array follow the image's own coordinates.
struct ElementBox {
  std::array<size_t, 3> origin{}, region{};
};

bool overlap(const ElementBox &a, const ElementBox &b);

// Whether a slice pitch means anything: for arrays and volumes.
inline bool hasSlices(cl_mem_object_type type) {
  return type == CL_MEM_OBJECT_IMAGE1D_ARRAY || type == CL_MEM_OBJECT_IMAGE2D_ARRAY || type == CL_MEM_OBJECT_IMAGE3D;
}

struct Image {
  cl_image_format format{};
  cl_image_desc description{}; // as queries return it: pitches computed, coordinates that it does not have are 0
  ElementLayout element;
  std::array<size_t, 3> extent{}; // of the coordinates, as in ElementBox
  size_t y_pitch = 0, z_pitch = 0;
  size_t offset = 0; // of its elements in the memory of its parent
  abi::ImageDescriptor descriptor{};

  size_t bytes() const { return z_pitch * extent[2]; }
  bool hasSlices() const { return icd::hasSlices(description.image_type); }

  // The box as bytes of memory with these pitches between rows and slices of elements.
  Rect rectAt(const std::array<size_t, 3> &origin, size_t pitch_y, size_t pitch_z) const {
    return {.offset = origin[0] * element.bytes + origin[1] * pitch_y + origin[2] * pitch_z,
            .row_pitch = pitch_y,
            .slice_pitch = pitch_z};
  }
  Rect rectOf(const std::array<size_t, 3> &origin) const { return rectAt(origin, y_pitch, z_pitch); }
  Box bytesOf(const std::array<size_t, 3> &region) const { return {region[0] * element.bytes, region[1], region[2]}; }

  // The box in memory: of an image with planes the luma and behind it the chroma, of all others one part.
  struct Part {
    Rect rect;
    Box bytes;
  };
  std::vector<Part> partsOf(const ElementBox &box) const;

  // Pitches of the application's memory, in the terms of OpenCL, zero meaning dense. CL_INVALID_VALUE when they do not
  // fit the region.
  cl_int hostRect(const std::array<size_t, 3> &region, size_t row_pitch, size_t slice_pitch, Rect &rect) const;
};

// The greatest sizes of images of that type, for the members of cl_image_desc that it uses; the others are 0.
struct ImageLimits {
  size_t width = 0, height = 0, depth = 0, layers = 0;
};
ImageLimits imageLimits(cl_mem_object_type type);
ImageLimits imageLimits(cl_mem_object_type type, const ElementLayout &element);

// Checks and completes sizes and pitches. `bound`: the pitches are those of memory that exists already.
cl_int describeImage(const cl_image_format &format, const cl_image_desc &description, const ElementLayout &element,
                     bool bound, Image &image);

// The first plane of an image that has planes, or the second one, which is half as wide and half as high, as an image
// of that format. `description` is completed.
cl_int describePlane(const Image &planar, size_t plane, const cl_image_format &format, cl_image_desc description,
                     const ElementLayout &element, Image &image);

// The descriptor for kernels, once it is known where the elements are.
void setImageData(Image &image, std::byte *data);

} // namespace lanecl::icd
