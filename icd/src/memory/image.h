// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The properties of an image: its format, its sizes, and the descriptor that kernels read.
#pragma once

#include "memory/image_format.h"
#include "memory/rect.h"

namespace lanecl::icd {

class Memory;

// A box of elements, as the arguments `origin` and `region` of image commands describe it. Coordinates that an image
// does not have start at 0 and have the size 1. The index into an array of images is the coordinate after the image's
// own: y for a 1D array, z for a 2D array.
struct ElementBox {
  std::array<size_t, 3> origin{}, region{};
};

// Returns true if the boxes have an element in common.
bool overlap(const ElementBox &a, const ElementBox &b);

// Returns true if images of this type have a slice pitch: arrays and 3D images.
inline bool hasSlices(cl_mem_object_type type) {
  return type == CL_MEM_OBJECT_IMAGE1D_ARRAY || type == CL_MEM_OBJECT_IMAGE2D_ARRAY || type == CL_MEM_OBJECT_IMAGE3D;
}

// The shape of an image and its place in memory. The object does not own the memory.
struct Image {
  cl_image_format format{};
  // The description that queries return, with the computed pitches, and 0 for coordinates that the image does not have.
  cl_image_desc description{};
  ElementLayout element;
  std::array<size_t, 3> extent{}; // sizes of the coordinates, as in ElementBox
  // Bytes between elements that differ by 1 in y, or in z. A 1D array has its images at the distance y_pitch.
  size_t y_pitch = 0, z_pitch = 0;
  size_t offset = 0; // byte offset of the image's elements in the memory of its parent
  abi::ImageDescriptor descriptor{};

  size_t bytes() const { return z_pitch * extent[2]; }
  bool hasSlices() const { return icd::hasSlices(description.image_type); }

  // Returns the position in memory of a box that starts at `origin`, for memory with these pitches between rows and
  // slices.
  Rect rectAt(const std::array<size_t, 3> &origin, size_t pitch_y, size_t pitch_z) const {
    return {.offset = origin[0] * element.bytes + origin[1] * pitch_y + origin[2] * pitch_z,
            .row_pitch = pitch_y,
            .slice_pitch = pitch_z};
  }
  Rect rectOf(const std::array<size_t, 3> &origin) const { return rectAt(origin, y_pitch, z_pitch); }
  // Returns the size of a box of elements, as bytes, rows and slices.
  Box bytesOf(const std::array<size_t, 3> &region) const { return {region[0] * element.bytes, region[1], region[2]}; }

  // The parts of a box in memory. An image with planes has two, the luma and after it the chroma; other images have
  // one.
  struct Part {
    Rect rect;
    Box bytes;
  };
  std::vector<Part> partsOf(const ElementBox &box) const;

  // Makes the position of a box in the application's memory. The pitches are those that the application gives; zero
  // means that rows or slices are contiguous. CL_INVALID_VALUE when they do not fit the region.
  cl_int hostRect(const std::array<size_t, 3> &region, size_t row_pitch, size_t slice_pitch, Rect &rect) const;
};

// The greatest sizes of images of one type, for the members of cl_image_desc that the type uses. The other members are
// 0.
struct ImageLimits {
  size_t width = 0, height = 0, depth = 0, layers = 0;
};
ImageLimits imageLimits(cl_mem_object_type type);
ImageLimits imageLimits(cl_mem_object_type type, const ElementLayout &element);

// Checks the description, computes the pitches and fills `image`. `bound` says that the memory exists already and has
// the pitches of the description. CL_INVALID_IMAGE_SIZE for sizes that are zero or too large, otherwise
// CL_INVALID_IMAGE_DESCRIPTOR.
cl_int describeImage(const cl_image_format &format, const cl_image_desc &description, const ElementLayout &element,
                     bool bound, Image &image);

// Describes a plane of a planar YUV image as an image of its own, with the given format. `plane` is 0 for the luma, or
// 1 for the chroma, which is half as wide and half as high. Width, height and pitches of `description` are ignored.
cl_int describePlane(const Image &planar, size_t plane, const cl_image_format &format, cl_image_desc description,
                     const ElementLayout &element, Image &image);

// Fills the descriptor that kernels read, once the address of the elements is known.
void setImageData(Image &image, std::byte *data);

} // namespace lanecl::icd
