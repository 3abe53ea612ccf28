// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Memory of cl_khr_external_memory, which belongs to others, possibly to another process. Its handle is a file
// descriptor that can be mapped (cl_khr_external_memory_opaque_fd): one of memfd_create(), of shm_open() or of a file.
#pragma once

#include "api/recent_names.h"
#include "api/result.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace lanecl::icd {

// Owns a mapping of external memory.
class ExternalMemory {
public:
  // The handle that the application gives to import memory, and the devices that may use the memory.
  struct Handle {
    int descriptor;
    std::vector<cl_device_id> devices; // of CL_MEM_DEVICE_HANDLE_LIST_KHR; empty: all devices
  };

  // Maps the first `bytes` bytes. CL_INVALID_PROPERTY if the descriptor is not one of such memory, `too_small` if the
  // memory has fewer bytes, CL_MEM_OBJECT_ALLOCATION_FAILURE if there is no address space for the mapping.
  static Result<std::unique_ptr<ExternalMemory>> import(const Handle &handle, size_t bytes, bool writable,
                                                        cl_int too_small);
  ExternalMemory(const ExternalMemory &) = delete;
  ExternalMemory &operator=(const ExternalMemory &) = delete;
  ~ExternalMemory();

  std::byte *data() const { return static_cast<std::byte *>(data_); }
  // Returns true if the memory was imported for this device.
  bool isFor(cl_device_id device) const;
  // Takes ownership of the application's descriptor, as the specification demands once the import has succeeded. Closes
  // it, because the mapping alone keeps the memory.
  void takeDescriptor();

private:
  ExternalMemory(const Handle &handle, void *data, size_t mapped) : handle_(handle), data_(data), mapped_(mapped) {}

  Handle handle_;
  void *data_;
  size_t mapped_;
};

} // namespace lanecl::icd
