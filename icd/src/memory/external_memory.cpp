// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Maps external memory.

#include "memory/external_memory.h"

#include <algorithm>
#include <cerrno>

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace lanecl::icd {

Result<std::unique_ptr<ExternalMemory>> ExternalMemory::import(const Handle &handle, size_t bytes, bool writable,
                                                               cl_int too_small) {
  struct stat status{};
  // Only regular files are accepted. The length of anything else is not known, and an access past the end of the mapped
  // object would end the process.
  if (fstat(handle.descriptor, &status) != 0 || !S_ISREG(status.st_mode))
    return Error{CL_INVALID_PROPERTY};
  if (status.st_size < 0 || size_t(status.st_size) < bytes)
    return Error{too_small};
  // A file of huge pages (hugetlbfs) can only be mapped in whole pages.
  const size_t page = std::max<size_t>(size_t(status.st_blksize), size_t(sysconf(_SC_PAGESIZE)));
  const size_t mapped = (bytes + page - 1) / page * page;
  void *const data =
      mmap(nullptr, mapped, writable ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED, handle.descriptor, 0);
  if (data == MAP_FAILED)
    return Error{errno == ENOMEM ? CL_MEM_OBJECT_ALLOCATION_FAILURE : CL_INVALID_PROPERTY};
  return std::unique_ptr<ExternalMemory>(new ExternalMemory(handle, data, mapped));
}

ExternalMemory::~ExternalMemory() {
  munmap(data_, mapped_);
}

bool ExternalMemory::isFor(cl_device_id device) const {
  return handle_.devices.empty() || std::ranges::count(handle_.devices, device) != 0;
}

void ExternalMemory::takeDescriptor() {
  close(handle_.descriptor);
}

} // namespace lanecl::icd
