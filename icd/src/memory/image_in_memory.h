// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The rules about images in the memory of buffers and of other images.
#pragma once

#include "memory/memory_object.h"

namespace lanecl::icd {

// Whether images of that type may lie in the memory of `parent`.
bool mayHold(const Memory &parent, cl_mem_object_type type);

// In bytes, of images in buffers.
size_t baseAddressAlignment(size_t element_bytes);
size_t rowPitchAlignment(size_t element_bytes);
size_t slicePitchAlignment(size_t element_bytes);

// CL_INVALID_IMAGE_FORMAT_DESCRIPTOR if an image is created from a buffer and the row pitch, the slice pitch or the
// base address alignment do not follow the rules for that.
cl_int checkAlignment(const Memory &buffer, const cl_image_desc &description, size_t element_bytes);

// The errors of a view that has another format than the image whose elements it sees, or other sizes.
cl_int checkView(const Image &viewed, const cl_image_format &format, const cl_image_desc &description);

// Those of a view of one plane of an image that has planes. Width and height are ignored, the depth says which plane.
cl_int checkPlane(const Image &planar, const cl_image_format &format, const cl_image_desc &description);

} // namespace lanecl::icd
