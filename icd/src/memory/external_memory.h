// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// cl_khr_external_memory: memory of others, which may be other processes. A handle is a file descriptor that can be
// mapped (cl_khr_external_memory_opaque_fd): of memfd_create(), of shm_open() or of a file.
#pragma once

#include "api/recent_names.h"
#include "api/result.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace lanecl::icd {

class ExternalMemory {
public:
  // What the application gives to import memory.
  struct Handle {
    int descriptor;
    std::vector<cl_device_id> devices; // of CL_MEM_DEVICE_HANDLE_LIST_KHR; empty: all
  };

  // Maps the first bytes. CL_INVALID_PROPERTY if the descriptor is none of such memory, `too_small` if that has fewer
  // bytes, CL_MEM_OBJECT_ALLOCATION_FAILURE if the mapping fails.
  static Result<std::unique_ptr<ExternalMemory>> import(const Handle &handle, size_t bytes, bool writable,
                                                        cl_int too_small);
  ExternalMemory(const ExternalMemory &) = delete;
  ExternalMemory &operator=(const ExternalMemory &) = delete;
  ~ExternalMemory();

  std::byte *data() const { return static_cast<std::byte *>(data_); }
  bool isFor(cl_device_id device) const;
  // The application's descriptor is the implementation's once the import has succeeded. The mapping keeps the memory,
  // so it is closed.
  void takeDescriptor();

private:
  ExternalMemory(const Handle &handle, void *data, size_t mapped) : handle_(handle), data_(data), mapped_(mapped) {}

  Handle handle_;
  void *data_;
  size_t mapped_;
};

} // namespace lanecl::icd
