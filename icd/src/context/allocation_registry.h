// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The allocations of one kind in one context: shared virtual memory (OpenCL 3.0, section 5.6) and unified shared memory
// (cl_intel_unified_shared_memory).
#pragma once

#include <CL/cl_ext.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <map>
#include <mutex>
#include <optional>

namespace lanecl::icd {

// Keeps with each allocation the Facts that the program gave. The destructor frees what is still allocated.
template <class Facts> class AllocationRegistry {
public:
  struct Allocation {
    void *base = nullptr;
    size_t size = 0;
    Facts facts{};
  };

  AllocationRegistry() = default;
  AllocationRegistry(const AllocationRegistry &) = delete;
  AllocationRegistry &operator=(const AllocationRegistry &) = delete;
  ~AllocationRegistry() {
    for (const auto &[begin, allocation] : allocations_)
      std::free(allocation.base);
  }

  // Null when there is no memory.
  void *allocate(size_t size, size_t alignment, Facts facts = {}) {
    void *base = std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
    if (!base)
      return nullptr;
    const std::lock_guard lock(mutex_);
    allocations_.emplace(reinterpret_cast<uintptr_t>(base), Allocation{base, size, facts});
    return base;
  }

  // False, and nothing is done, when allocate() has not returned this very pointer.
  bool free(void *pointer) {
    {
      const std::lock_guard lock(mutex_);
      if (allocations_.erase(reinterpret_cast<uintptr_t>(pointer)) == 0)
        return false;
    }
    std::free(pointer);
    return true;
  }

  // The allocation that the pointer points into.
  std::optional<Allocation> find(const void *pointer) {
    const auto address = reinterpret_cast<uintptr_t>(pointer);
    const std::lock_guard lock(mutex_);
    const auto next = allocations_.upper_bound(address);
    if (next == allocations_.begin())
      return std::nullopt;
    const auto &[begin, allocation] = *std::prev(next);
    return address < begin + allocation.size ? std::optional(allocation) : std::nullopt;
  }

  // Bytes from `pointer` to the end of the allocation that holds it; 0 when none does.
  size_t bytesFrom(const void *pointer) {
    const auto allocation = find(pointer);
    return allocation ? size_t(static_cast<std::byte *>(allocation->base) + allocation->size -
                               static_cast<const std::byte *>(pointer))
                      : 0;
  }

private:
  std::mutex mutex_;
  std::map<uintptr_t, Allocation> allocations_;
};

struct NoFacts {};

struct UsmFacts {
  cl_unified_shared_memory_type_intel type = CL_MEM_TYPE_UNKNOWN_INTEL;
  cl_device_id device = nullptr; // null: of no device
  cl_mem_alloc_flags_intel flags = 0;
};

using SvmRegistry = AllocationRegistry<NoFacts>;
using UsmRegistry = AllocationRegistry<UsmFacts>;

} // namespace lanecl::icd
