// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Acquires and releases memory objects in external memory (cl_khr_external_memory). Everybody who has mapped the memory
// sees the same bytes, so there is nothing to move.
#include "api/entry.h"
#include "api/shadow.h"
#include "commands/command.h"
#include "memory/memory_object.h"

namespace lanecl::icd {
namespace {

// The arguments that acquiring and releasing have in common.
struct Request {
  cl_command_queue queue;
  cl_uint count;
  const cl_mem *objects;
  WaitArguments waiting;
};

Result<std::vector<Ref<Memory>>> readObjects(const Request &request) {
  // CL_INVALID_VALUE if num_mem_objects is zero and mem_objects is not a NULL value, or if num_mem_objects is greater
  // than 0 and mem_objects is NULL.
  if ((request.count == 0) != (request.objects == nullptr))
    return Error{CL_INVALID_VALUE};
  Device &device = objectOf(request.queue).device();
  std::vector<Ref<Memory>> objects;
  for (cl_uint i = 0; i < request.count; ++i) {
    Memory *memory = Memory::cast(request.objects[i]);
    // CL_INVALID_MEM_OBJECT if any of the memory objects is not a valid OpenCL memory object created using an external
    // memory handle.
    if (!memory || !memory->external())
      return Error{CL_INVALID_MEM_OBJECT};
    // CL_INVALID_COMMAND_QUEUE if the device associated with command_queue is not one of the devices specified by
    // CL_MEM_DEVICE_HANDLE_LIST_KHR, or if one of the objects belongs to a context that does not contain the device.
    if (!memory->external()->isFor(device.handle()) || !contains(memory->context().devices(), &device))
      return Error{CL_INVALID_COMMAND_QUEUE};
    objects.emplace_back(*memory);
  }
  return objects;
}

cl_int enqueue(const Request &request, cl_command_type type) {
  if (cl_int code = validate(request.queue))
    return code;
  auto objects = readObjects(request);
  if (!objects)
    return objects.code();
  auto command = Command::prepare(objectOf(request.queue), type, request.waiting);
  if (!command)
    return command.code();
  if (cl_int code = command->checkWaitList())
    return code;
  // Other users of the memory may have written all of it, so check mode regards it as initialized.
  return command->run(
      [objects = std::move(*objects)] {
        for (const Ref<Memory> &memory : objects)
          markWritten(memory->data(), memory->size());
        return scheduler::kComplete;
      },
      scheduler::Start::Deferred);
}

} // namespace
} // namespace lanecl::icd

using namespace lanecl::icd;

CL_API_ENTRY cl_int CL_API_CALL clEnqueueAcquireExternalMemObjectsKHR(cl_command_queue queue, cl_uint count,
                                                                      const cl_mem *objects, cl_uint num_events,
                                                                      const cl_event *events, cl_event *event) {
  return entry([&] {
    return enqueue({queue, count, objects, {num_events, events, event}}, CL_COMMAND_ACQUIRE_EXTERNAL_MEM_OBJECTS_KHR);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueReleaseExternalMemObjectsKHR(cl_command_queue queue, cl_uint count,
                                                                      const cl_mem *objects, cl_uint num_events,
                                                                      const cl_event *events, cl_event *event) {
  return entry([&] {
    return enqueue({queue, count, objects, {num_events, events, event}}, CL_COMMAND_RELEASE_EXTERNAL_MEM_OBJECTS_KHR);
  });
}
