// The allocations of unified shared memory in one context.
#pragma once

#include <CL/cl_ext.h>

#include <cstdlib>
#include <iterator>
#include <map>
#include <mutex>
#include <optional>

namespace lanecl::icd {

struct UsmAllocation {
  void *base = nullptr;
  size_t size = 0;
  cl_unified_shared_memory_type_intel type = CL_MEM_TYPE_UNKNOWN_INTEL;
  cl_device_id device = nullptr; // null: of no device
  cl_mem_alloc_flags_intel flags = 0;
};

class UsmRegistry {
public:
  ~UsmRegistry() {
    for (const auto &[begin, allocation] : allocations_)
      std::free(allocation.base);
  }

  // Fills in `base`. Null when there is no memory.
  void *allocate(UsmAllocation allocation, size_t alignment) {
    allocation.base = std::aligned_alloc(alignment, (allocation.size + alignment - 1) / alignment * alignment);
    if (!allocation.base)
      return nullptr;
    const std::lock_guard lock(mutex_);
    allocations_.emplace(reinterpret_cast<uintptr_t>(allocation.base), allocation);
    return allocation.base;
  }

  // False when allocate() has not returned this very pointer.
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
  std::optional<UsmAllocation> find(const void *pointer) {
    const auto address = reinterpret_cast<uintptr_t>(pointer);
    const std::lock_guard lock(mutex_);
    const auto next = allocations_.upper_bound(address);
    if (next == allocations_.begin())
      return std::nullopt;
    const auto &[begin, allocation] = *std::prev(next);
    return address < begin + allocation.size ? std::optional(allocation) : std::nullopt;
  }

private:
  std::mutex mutex_;
  std::map<uintptr_t, UsmAllocation> allocations_;
};

} // namespace lanecl::icd
