// The allocations of clSVMAlloc in one context.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <mutex>

namespace lanecl::icd {

class SvmRegistry {
public:
  ~SvmRegistry() {
    for (const auto &[begin, size] : allocations_)
      std::free(reinterpret_cast<void *>(begin));
  }

  void *allocate(size_t size, size_t alignment) {
    void *pointer = std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
    if (!pointer)
      return nullptr;
    const std::lock_guard lock(mutex_);
    allocations_.emplace(reinterpret_cast<uintptr_t>(pointer), size);
    return pointer;
  }

  // Frees what allocate() returned, and nothing else.
  void free(void *pointer) {
    {
      const std::lock_guard lock(mutex_);
      if (allocations_.erase(reinterpret_cast<uintptr_t>(pointer)) == 0)
        return;
    }
    std::free(pointer);
  }

  // Bytes from `pointer` to the end of the allocation that holds it; 0 when none does.
  size_t bytesFrom(const void *pointer) {
    const auto address = reinterpret_cast<uintptr_t>(pointer);
    const std::lock_guard lock(mutex_);
    auto next = allocations_.upper_bound(address);
    if (next == allocations_.begin())
      return 0;
    const auto &[begin, size] = *std::prev(next);
    return address < begin + size ? begin + size - address : 0;
  }

private:
  std::mutex mutex_;
  std::map<uintptr_t, size_t> allocations_;
};

} // namespace lanecl::icd
