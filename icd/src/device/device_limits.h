// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The device's sizes. Queries report them and checks use them, so they cannot disagree.
#pragma once

#include "vectorizer/contract/abi.h"
#include "vectorizer/contract/width.h"

#include <cstddef>
#include <cstdint>

namespace lanecl::icd {

inline constexpr uint32_t kMaxDimensions = 3;
inline constexpr size_t kMaxWorkGroupSize = 1024; // as on Intel's GPUs; any kernel can run it
inline constexpr size_t kMaxSubGroups = kMaxWorkGroupSize / vectorizer::kSubGroupSizes.front();
inline constexpr size_t kLocalMemoryBytes = size_t(64) << 10;
inline constexpr size_t kMaxParameterBytes = 4096;
inline constexpr size_t kMaxConstantBufferBytes = size_t(2) << 20;
inline constexpr uint32_t kMaxConstantArguments = 64;
inline constexpr size_t kBaseAlignment = abi::kMemoryAlignment; // bytes
inline constexpr size_t kPrintfBufferBytes = size_t(1) << 20;
inline constexpr size_t kMaxFillPattern = 128;

// Pipes. No list of reservations is kept, so any number may be active.
inline constexpr uint32_t kMaxPipeArguments = 16;
inline constexpr uint32_t kMaxPipeReservations = 1024;
inline constexpr uint32_t kMaxPipePacketBytes = 1024;

// Images. Sizes are in elements.
inline constexpr size_t kMaxImageWidth = 16384;
inline constexpr size_t kMaxImageHeight = 16384;
inline constexpr size_t kMaxImage3dSize = 2048;
inline constexpr size_t kMaxImageLayers = 2048;
inline constexpr size_t kMaxImageBufferElements = size_t(1) << 27;
inline constexpr uint32_t kMaxImageArguments = 128;
inline constexpr uint32_t kMaxSamplers = 16;
// Of an image in a buffer, as on Intel's GPUs: a row begins at a multiple of that many elements, so does the buffer's
// memory when it is the application's.
inline constexpr uint32_t kImagePitchAlignment = 4;
inline constexpr uint32_t kImageBaseAlignment = 4;

} // namespace lanecl::icd
