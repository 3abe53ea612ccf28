// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Checks that all commands on images share.
#pragma once

#include "commands/buffer_access.h"

namespace lanecl::icd {

// Checks a queue and one image that a command uses: CL_INVALID_COMMAND_QUEUE, CL_INVALID_MEM_OBJECT or
// CL_INVALID_CONTEXT.
inline cl_int checkQueueAndImage(cl_command_queue queue, cl_mem image) {
  if (cl_int code = validate(queue, image))
    return code;
  // CL_INVALID_MEM_OBJECT if image is not a valid image object.
  if (!objectOf(image).image())
    return CL_INVALID_MEM_OBJECT;
  return &objectOf(queue).context() == &objectOf(image).context() ? CL_SUCCESS : CL_INVALID_CONTEXT;
}

// Reads the box that `origin` and `region` describe, in elements. CL_INVALID_VALUE if origin or region is NULL, if the
// region is empty or out of bounds, or if it divides elements that share chroma.
//
// The extent is 1 in dimensions that the image does not have, so the rules for their coordinates are checked here, too.
inline cl_int readBox(const Image &image, const size_t *origin, const size_t *region, ElementBox &box) {
  if (!origin || !region)
    return CL_INVALID_VALUE;
  for (size_t i = 0; i < 3; ++i) {
    if (region[i] == 0 || origin[i] >= image.extent[i] || region[i] > image.extent[i] - origin[i])
      return CL_INVALID_VALUE;
    const size_t shared = i < 2 ? image.element.shared[i] : 1;
    if (origin[i] % shared != 0 || region[i] % shared != 0)
      return CL_INVALID_VALUE;
    box.origin[i] = origin[i];
    box.region[i] = region[i];
  }
  return CL_SUCCESS;
}

} // namespace lanecl::icd
