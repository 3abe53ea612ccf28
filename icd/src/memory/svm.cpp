// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Allocates and frees shared virtual memory (OpenCL 3.0, section 5.6). Host and device share one memory with coherent
// caches, so kernels may use any pointer. Allocations are registered only for the checks of the API.
#include "api/entry.h"
#include "context/context.h"
#include "device/device_limits.h"
#include "device/memory_limits.h"

#include <bit>

namespace lanecl::icd {
namespace {

// Returns true for valid flags of clSVMAlloc.
bool areSvmFlags(cl_svm_mem_flags flags) {
  constexpr cl_svm_mem_flags kAccess = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;
  constexpr cl_svm_mem_flags kGrain = CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS;
  // CL_MEM_SVM_ATOMICS is valid only if CL_MEM_SVM_FINE_GRAIN_BUFFER is specified.
  if ((flags & kGrain) == CL_MEM_SVM_ATOMICS)
    return false;
  return (flags & ~(kAccess | kGrain)) == 0 && std::popcount(flags & kAccess) <= 1;
}

void *svmAllocate(cl_context context, cl_svm_mem_flags flags, size_t size, cl_uint alignment) {
  // Fails if context is not a valid context, if values specified in flags are not valid, if size is 0 or greater than
  // CL_DEVICE_MAX_MEM_ALLOC_SIZE, or if alignment is not a power of two or exceeds the size of the largest data type.
  if (!Context::cast(context) || !areSvmFlags(flags) || size == 0 || size > maxAllocationBytes())
    return nullptr;
  // Fine-grained buffers are refused if the device does not have them.
  if ((flags & CL_MEM_SVM_FINE_GRAIN_BUFFER) != 0 && !deviceProfile().has_fine_grain_buffers)
    return nullptr;
  if (alignment != 0 && (!std::has_single_bit(alignment) || alignment > kBaseAlignment))
    return nullptr;
  // The default alignment is the size of the largest data type, which serves every request.
  return objectOf(context).svm().allocate(
      size, kBaseAlignment, {.type = (flags & CL_MEM_SVM_FINE_GRAIN_BUFFER) != 0 ? kFineSvm : kCoarseSvm});
}

} // namespace
} // namespace lanecl::icd

using namespace lanecl::icd;

CL_API_ENTRY void *CL_API_CALL clSVMAlloc(cl_context context, cl_svm_mem_flags flags, size_t size, cl_uint alignment) {
  return create(nullptr, [&]() -> Result<void *> { return svmAllocate(context, flags, size, alignment); });
}

CL_API_ENTRY void CL_API_CALL clSVMFree(cl_context context, void *pointer) {
  if (!Context::cast(context))
    return;
  noteMemoryFreed("clSVMFree", pointer, objectOf(context).svm().bytesFrom(pointer));
  objectOf(context).svm().free(pointer);
}
