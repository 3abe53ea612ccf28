// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "check/host/command_names.h"

#include <CL/cl_ext.h>

namespace lanecl::icd {

const char *nameOfCommand(cl_command_type type) {
  switch (type) {
  case CL_COMMAND_NDRANGE_KERNEL: return "clEnqueueNDRangeKernel";
  case CL_COMMAND_TASK: return "clEnqueueTask";
  case CL_COMMAND_NATIVE_KERNEL: return "clEnqueueNativeKernel";
  case CL_COMMAND_READ_BUFFER: return "clEnqueueReadBuffer";
  case CL_COMMAND_WRITE_BUFFER: return "clEnqueueWriteBuffer";
  case CL_COMMAND_COPY_BUFFER: return "clEnqueueCopyBuffer";
  case CL_COMMAND_READ_BUFFER_RECT: return "clEnqueueReadBufferRect";
  case CL_COMMAND_WRITE_BUFFER_RECT: return "clEnqueueWriteBufferRect";
  case CL_COMMAND_COPY_BUFFER_RECT: return "clEnqueueCopyBufferRect";
  case CL_COMMAND_FILL_BUFFER: return "clEnqueueFillBuffer";
  case CL_COMMAND_READ_IMAGE: return "clEnqueueReadImage";
  case CL_COMMAND_WRITE_IMAGE: return "clEnqueueWriteImage";
  case CL_COMMAND_COPY_IMAGE: return "clEnqueueCopyImage";
  case CL_COMMAND_COPY_IMAGE_TO_BUFFER: return "clEnqueueCopyImageToBuffer";
  case CL_COMMAND_COPY_BUFFER_TO_IMAGE: return "clEnqueueCopyBufferToImage";
  case CL_COMMAND_FILL_IMAGE: return "clEnqueueFillImage";
  case CL_COMMAND_MAP_BUFFER: return "clEnqueueMapBuffer";
  case CL_COMMAND_MAP_IMAGE: return "clEnqueueMapImage";
  case CL_COMMAND_UNMAP_MEM_OBJECT: return "clEnqueueUnmapMemObject";
  case CL_COMMAND_SVM_FREE: return "clEnqueueSVMFree";
  case CL_COMMAND_SVM_MEMCPY: return "clEnqueueSVMMemcpy";
  case CL_COMMAND_SVM_MEMFILL: return "clEnqueueSVMMemFill";
  case CL_COMMAND_SVM_MAP: return "clEnqueueSVMMap";
  case CL_COMMAND_SVM_UNMAP: return "clEnqueueSVMUnmap";
  case CL_COMMAND_MEMCPY_INTEL: return "clEnqueueMemcpyINTEL";
  case CL_COMMAND_MEMFILL_INTEL: return "clEnqueueMemFillINTEL";
  case CL_COMMAND_ACQUIRE_EXTERNAL_MEM_OBJECTS_KHR: return "clEnqueueAcquireExternalMemObjectsKHR";
  case CL_COMMAND_RELEASE_EXTERNAL_MEM_OBJECTS_KHR: return "clEnqueueReleaseExternalMemObjectsKHR";
  case CL_COMMAND_SEMAPHORE_WAIT_KHR: return "clEnqueueWaitSemaphoresKHR";
  case CL_COMMAND_SEMAPHORE_SIGNAL_KHR: return "clEnqueueSignalSemaphoresKHR";
  default: return "a command";
  }
}

} // namespace lanecl::icd
