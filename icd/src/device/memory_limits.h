// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Limits that depend on the machine.
#pragma once

#include "device/processor.h"

#include <algorithm>

namespace lanecl::icd {

// CL_DEVICE_MAX_MEM_ALLOC_SIZE: at least max(min(1 GiB, a quarter of the memory), 32 MiB); here, half of the memory.
inline uint64_t maxAllocationBytes() {
  return std::max<uint64_t>(processor().memory_bytes / 2, uint64_t(32) << 20);
}

} // namespace lanecl::icd
