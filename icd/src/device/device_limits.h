// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The limits that are the same in all profiles; the others are in icd/profile.h. Queries and checks both read them
// here, so they cannot disagree.
#pragma once

#include "vectorizer/contract/abi.h"

#include <cstddef>
#include <cstdint>

namespace lanecl::icd {

inline constexpr uint32_t kMaxDimensions = 3;
inline constexpr size_t kBaseAlignment = abi::kMemoryAlignment; // bytes
inline constexpr size_t kMaxFillPattern = 128;

// Pipes.
inline constexpr uint32_t kMaxPipeArguments = 16;
inline constexpr uint32_t kMaxPipePacketBytes = 1024;

// Images. Sizes are in elements.
inline constexpr size_t kMaxImageWidth = 16384;
inline constexpr size_t kMaxImageHeight = 16384;
inline constexpr size_t kMaxImageDepth = 2048;
inline constexpr size_t kMaxImageLayers = 2048;
inline constexpr size_t kMaxImageElementBytes = 16;
inline constexpr uint32_t kMaxImageArguments = 128;
inline constexpr uint32_t kMaxSamplers = 16;
// The alignment of an image made from a buffer, in elements, as on Intel's GPUs: each row starts at a multiple of
// kImagePitchAlignment. The memory of a buffer with CL_MEM_USE_HOST_PTR starts at a multiple of kImageBaseAlignment.
inline constexpr uint32_t kImagePitchAlignment = 4;
inline constexpr uint32_t kImageBaseAlignment = 4;

} // namespace lanecl::icd
