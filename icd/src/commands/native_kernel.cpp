// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// clEnqueueNativeKernel: calls a function of the application as a command.
#include "api/entry.h"
#include "api/shadow.h"
#include "commands/buffer_access.h"
#include "icd/profile.h"

#include <cstring>

namespace lanecl::icd {
namespace {

using Function = void(CL_CALLBACK *)(void *);

// The call of a native kernel. `block` is a copy of the application's arguments in which buffers were replaced by their
// addresses.
struct NativeCall {
  Function function;
  std::vector<std::max_align_t> block; // aligned for any type; empty when there are no arguments
  std::vector<Ref<Memory>> memory;

  scheduler::Status operator()() {
    // The function may write all of the buffers.
    for (const Ref<Memory> &buffer : memory)
      markWritten(buffer->data(), buffer->size());
    function(block.empty() ? nullptr : block.data());
    return scheduler::kComplete;
  }
};

// Writes the addresses of the buffers to the places in the copied block that `locations` name in the original.
cl_int placeBuffers(const Context &context, void *arguments, size_t size, cl_uint count, const cl_mem *buffers,
                    const void **locations, NativeCall &call) {
  for (cl_uint i = 0; i < count; ++i) {
    // CL_INVALID_MEM_OBJECT if one or more memory objects in mem_list are not valid or are not buffer objects.
    if (cl_int code = validate(buffers[i]))
      return code;
    Memory &buffer = objectOf(buffers[i]);
    if (buffer.type() != CL_MEM_OBJECT_BUFFER)
      return CL_INVALID_MEM_OBJECT;
    if (&buffer.context() != &context)
      return CL_INVALID_CONTEXT;
    const auto *begin = static_cast<const std::byte *>(arguments);
    const auto *location = static_cast<const std::byte *>(locations[i]);
    if (location < begin || location + sizeof(void *) > begin + size)
      return CL_INVALID_VALUE;
    const void *address = buffer.data();
    std::memcpy(reinterpret_cast<std::byte *>(call.block.data()) + (location - begin), &address, sizeof address);
    call.memory.emplace_back(buffer);
  }
  return CL_SUCCESS;
}

cl_int enqueueNative(cl_command_queue handle, Function function, void *arguments, size_t size, cl_uint count,
                     const cl_mem *buffers, const void **locations, const WaitArguments &waiting) {
  if (cl_int code = validate(handle))
    return code;
  // CL_OUT_OF_HOST_MEMORY, and not CL_INVALID_OPERATION, is what Intel's driver answers: opencl/source/api/api.cpp.
  if (!deviceProfile().has_native_kernels)
    return CL_OUT_OF_HOST_MEMORY;
  CommandQueue &queue = objectOf(handle);
  // CL_INVALID_VALUE if user_func is NULL.
  if (!function)
    return CL_INVALID_VALUE;
  // CL_INVALID_VALUE if args is a NULL value and cb_args > 0, or if args is a NULL value and num_mem_objects > 0, or
  // if args is not NULL and cb_args is 0.
  if ((arguments == nullptr) != (size == 0) || (!arguments && count > 0))
    return CL_INVALID_VALUE;
  // CL_INVALID_VALUE if num_mem_objects > 0 and mem_list or args_mem_loc are NULL, or if num_mem_objects = 0 and
  // mem_list or args_mem_loc are not NULL.
  if ((count == 0) != (buffers == nullptr) || (count == 0) != (locations == nullptr))
    return CL_INVALID_VALUE;
  NativeCall call{function, {}, {}};
  call.block.resize((size + sizeof(std::max_align_t) - 1) / sizeof(std::max_align_t));
  if (size != 0)
    std::memcpy(call.block.data(), arguments, size);
  if (cl_int code = placeBuffers(queue.context(), arguments, size, count, buffers, locations, call))
    return code;
  auto command = Command::prepare(queue, CL_COMMAND_NATIVE_KERNEL, waiting);
  return command ? command->runHostFunction(std::move(call)) : command.code();
}

} // namespace
} // namespace lanecl::icd

using namespace lanecl::icd;

CL_API_ENTRY cl_int CL_API_CALL clEnqueueNativeKernel(cl_command_queue queue, void(CL_CALLBACK *function)(void *),
                                                      void *arguments, size_t size, cl_uint num_buffers,
                                                      const cl_mem *buffers, const void **locations, cl_uint count,
                                                      const cl_event *events, cl_event *event) {
  return entry([&] {
    return enqueueNative(queue, function, arguments, size, num_buffers, buffers, locations, {count, events, event});
  });
}
