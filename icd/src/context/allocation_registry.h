// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Registers the allocations of one kind in one context: shared virtual memory (OpenCL 3.0, section 5.6) or unified
// shared memory (cl_intel_unified_shared_memory).
#pragma once

#include "api/memory_watch.h"
#include "api/shadow.h"
#include "context/memory_block.h"
#include "device/svm_types.h"
#include "icd/profile.h"
#include "vectorizer/check.h"

#include <CL/cl_ext.h>

#include <array>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace lanecl::icd {

// Owns the allocations. Each is kept with the Facts that the program gave when it made the allocation. The destructor
// frees those that the program has not freed.
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

  // Allocates `size` bytes. Returns null when there is no memory. The alignment is a power of two.
  void *allocate(size_t size, size_t alignment, Facts facts = {}) {
    assert(size != 0 && std::has_single_bit(alignment) && "an allocation that the caller should have refused");
    auto block = std::make_shared<MemoryBlock>(size, alignment);
    void *base = block->data();
    if (!base)
      return nullptr;
    noteMemoryMade(base, size, "an allocation");
    if (facts.isOfDeviceOnly())
      markUnwritten(base, size);
    const std::lock_guard lock(mutex_);
    [[maybe_unused]] const bool is_new =
        allocations_.emplace(reinterpret_cast<uintptr_t>(base), Owned{{base, size, facts}, std::move(block)}).second;
    assert(is_new && "memory was released that is still registered");
    return base;
  }

  // Frees an allocation. Returns false, without doing anything, when allocate() has not returned this very pointer.
  bool free(void *pointer) {
    typename std::map<uintptr_t, Owned>::node_type freed; // unless it is kept, the memory is released with it
    size_t size = 0;
    {
      const std::lock_guard lock(mutex_);
      freed = allocations_.extract(reinterpret_cast<uintptr_t>(pointer));
      if (freed.empty())
        return false;
      size = freed.mapped().allocation.size;
      if (vectorizer::instrumentation() != nullptr)
        keepFreed(freed);
    }
    // Outside of the lock, because a watch has a lock of its own, and a thread that reports what the watch has found
    // looks memory up here.
    noteMemoryGone(pointer, size);
    markWritten(pointer, size);
    return true;
  }

  // Returns true if the address, or the one before it, is in an allocation that was freed not long ago. Only check mode
  // keeps freed allocations.
  bool wasFreed(uintptr_t address) {
    const std::lock_guard lock(mutex_);
    const auto next = freed_.upper_bound(address);
    return next != freed_.begin() && address <= std::prev(next)->first + std::prev(next)->second.allocation.size;
  }

  // Returns the allocation that the pointer points into, or nothing.
  std::optional<Allocation> find(const void *pointer) {
    const auto address = reinterpret_cast<uintptr_t>(pointer);
    const std::lock_guard lock(mutex_);
    const auto next = allocations_.upper_bound(address);
    if (next == allocations_.begin())
      return std::nullopt;
    const Allocation &allocation = std::prev(next)->second.allocation;
    return address < std::prev(next)->first + allocation.size ? std::optional(allocation) : std::nullopt;
  }

  // Calls `visit` for each allocation. No allocation is made or freed meanwhile.
  template <class Visit> void forEach(const Visit &visit) {
    const std::lock_guard lock(mutex_);
    visitAll(visit);
  }

  // An allocation whose memory stays, as long as the object exists, even if the program frees it.
  struct Kept {
    Allocation allocation;
    std::shared_ptr<const MemoryBlock> block;
  };
  // Keeps the memory of all allocations.
  std::vector<Kept> keepAll() {
    const std::lock_guard lock(mutex_);
    std::vector<Kept> all;
    for (const auto &[address, owned] : allocations_)
      all.push_back({owned.allocation, owned.block});
    return all;
  }

  // The same for signal handlers: it never waits for the lock, and visits nothing while the lock is held, be it by
  // another thread or by what the handler has interrupted.
  template <class Visit> void tryForEach(const Visit &visit) {
    if (const std::unique_lock lock(mutex_, std::try_to_lock); lock)
      visitAll(visit);
  }

  // Returns the number of bytes from `pointer` to the end of the allocation that it points into, or 0 when there is
  // none.
  size_t bytesFrom(const void *pointer) {
    const auto allocation = find(pointer);
    return allocation ? size_t(static_cast<std::byte *>(allocation->base) + allocation->size -
                               static_cast<const std::byte *>(pointer))
                      : 0;
  }

private:
  struct Owned {
    Allocation allocation;
    std::shared_ptr<MemoryBlock> block;
  };

  template <class Visit> void visitAll(const Visit &visit) const {
    for (const auto &[address, owned] : allocations_)
      visit(owned.allocation);
  }

  // Keeps a freed allocation in check mode. As nothing else is allocated there, a kernel that still uses the memory is
  // found out. Keeps at most kMost bytes; later allocations are really freed.
  void keepFreed(typename std::map<uintptr_t, Owned>::node_type &freed) {
    constexpr size_t kMost = size_t(256) << 20;
    if (freed_bytes_ + freed.mapped().allocation.size > kMost)
      return;
    freed_bytes_ += freed.mapped().allocation.size;
    freed_.insert(std::move(freed));
  }

  std::mutex mutex_;
  // Sorted by address.
  std::map<uintptr_t, Owned> allocations_, freed_;
  size_t freed_bytes_ = 0;
};

// The properties of an SVM allocation as the application gave them, with the terminating zero. There is room for each
// property name once.
struct SvmProperties {
  std::array<cl_svm_alloc_properties_khr, 7> values{};
  size_t count = 0; // elements of `values` including the zero; 0: none were given
};

// The facts that the program gave for an SVM allocation.
struct SvmFacts {
  SvmType type = kCoarseSvm;
  cl_device_id device = nullptr; // null: the allocation belongs to no device
  cl_svm_alloc_access_flags_khr access_flags = 0;
  SvmProperties properties{};

  bool has(cl_svm_capabilities_khr capability) const { return (kSvmTypes[type] & capability) != 0; }
  // Returns true if the host writes the memory only by commands, or while it is mapped.
  bool isOfDeviceOnly() const { return !has(CL_SVM_CAPABILITY_HOST_WRITE_KHR); }
};

// The facts that the program gave for a USM allocation.
struct UsmFacts {
  cl_unified_shared_memory_type_intel type = CL_MEM_TYPE_UNKNOWN_INTEL;
  cl_device_id device = nullptr; // null: the allocation belongs to no device
  cl_mem_alloc_flags_intel flags = 0;

  // Returns true if the host writes the memory only by commands. If the device is a processor, libraries write even
  // device memory by their own code.
  bool isOfDeviceOnly() const { return type == CL_MEM_TYPE_DEVICE_INTEL && deviceProfile().is_gpu; }
};

using SvmRegistry = AllocationRegistry<SvmFacts>;
using UsmRegistry = AllocationRegistry<UsmFacts>;

} // namespace lanecl::icd
