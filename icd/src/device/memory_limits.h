// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The limits that depend on both the machine and the profile.
#pragma once

#include "device/device_limits.h"
#include "device/processor.h"
#include "icd/profile.h"

#include <algorithm>

namespace lanecl::icd {

// CL_DEVICE_GLOBAL_MEM_SIZE in bytes, a multiple of the page size.
inline uint64_t globalMemoryBytes() {
  constexpr uint64_t kPage = 4096;
  return std::min(deviceProfile().memory_bytes, processor().memory_bytes) * deviceProfile().memory_percent / 100 /
         kPage * kPage;
}

// CL_DEVICE_MAX_MEM_ALLOC_SIZE in bytes. The specification requires at least max(min(1 GiB, a quarter of the memory),
// 32 MiB), which profiles fulfill as their allocation_percent is at least 25.
inline uint64_t maxAllocationBytes() {
  const uint64_t part = globalMemoryBytes() * deviceProfile().allocation_percent / 100;
  return std::clamp<uint64_t>(part, uint64_t(32) << 20, deviceProfile().max_allocation_bytes);
}

// CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE in bytes.
inline uint64_t cacheLineBytes() {
  return deviceProfile().cache_line_bytes != 0 ? deviceProfile().cache_line_bytes : processor().cache_line_bytes;
}

// CL_DEVICE_IMAGE_MAX_BUFFER_SIZE in elements.
inline size_t maxImageBufferElements() {
  const size_t own = deviceProfile().max_image_buffer_elements;
  return own != 0 ? own : maxAllocationBytes() / kMaxImageElementBytes;
}

} // namespace lanecl::icd
