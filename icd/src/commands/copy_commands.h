// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Copies and fills buffers and images. The destination is a queue or a command buffer, so clEnqueue… and clCommand…
// share these functions.
//
// Each function makes all checks of its clEnqueue… function and returns that function's errors.
#pragma once

#include "commands/command.h"

namespace lanecl::icd {

// One side of a copy of a box: its first byte and its pitches, as the application describes it.
struct BoxSide {
  const size_t *origin;
  size_t row_pitch, slice_pitch;
};

cl_int copyBuffer(const Destination &to, cl_mem source, cl_mem target, size_t source_offset, size_t target_offset,
                  size_t size);
cl_int copyBufferRect(const Destination &to, cl_mem source, cl_mem target, const BoxSide &source_side,
                      const BoxSide &target_side, const size_t *region);
cl_int fillBuffer(const Destination &to, cl_mem buffer, const void *pattern, size_t pattern_size, size_t offset,
                  size_t size);

cl_int copyImage(const Destination &to, cl_mem source, cl_mem target, const size_t *source_origin,
                 const size_t *target_origin, const size_t *region);
cl_int copyImageToBuffer(const Destination &to, cl_mem image, cl_mem buffer, const size_t *origin, const size_t *region,
                         size_t offset);
cl_int copyBufferToImage(const Destination &to, cl_mem buffer, cl_mem image, size_t offset, const size_t *origin,
                         const size_t *region);
cl_int fillImage(const Destination &to, cl_mem image, const void *color, const size_t *origin, const size_t *region);

} // namespace lanecl::icd
