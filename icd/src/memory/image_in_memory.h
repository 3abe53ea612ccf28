// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The rules for images that lie in the memory of buffers and of other images.
#pragma once

#include "memory/memory_object.h"

namespace lanecl::icd {

// Returns true if images of that type may lie in the memory of `parent`.
bool mayHold(const Memory &parent, cl_mem_object_type type);

// Return the alignments, in bytes, of images in buffers with elements of this size.
size_t baseAddressAlignment(size_t element_bytes);
size_t rowPitchAlignment(size_t element_bytes);
size_t slicePitchAlignment(size_t element_bytes);

// CL_INVALID_IMAGE_FORMAT_DESCRIPTOR if an image is created from a buffer and the row pitch, the slice pitch or the
// base address do not have the alignments above.
cl_int checkAlignment(const Memory &buffer, const cl_image_desc &description, size_t element_bytes);

// Checks an image that sees the elements of another image. CL_INVALID_IMAGE_DESCRIPTOR if its sizes differ from those
// of the image, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR if its format is not compatible.
cl_int checkView(const Image &viewed, const cl_image_format &format, const cl_image_desc &description);

// Checks a view of one plane of a planar YUV image, with the same errors. Width and height are ignored; the depth is
// the index of the plane, 0 or 1.
cl_int checkPlane(const Image &planar, const cl_image_format &format, const cl_image_desc &description);

} // namespace lanecl::icd
