// Mapping. Device memory is the host's, so a mapped pointer is the buffer's own and moving data is nobody's work;
// what remains is order, the returned pointer and the books.
#include "buffer_access.h"
#include "entry.h"

namespace lanecl::icd {
namespace {

constexpr cl_map_flags kMapFlags = CL_MAP_READ | CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;

// CL_INVALID_VALUE if values specified in map_flags are not valid: unknown bits, or CL_MAP_WRITE_INVALIDATE_REGION,
// which is mutually exclusive with CL_MAP_READ and CL_MAP_WRITE, with one of them.
bool areMapFlags(cl_map_flags flags) {
  return (flags & ~kMapFlags) == 0 &&
         !((flags & CL_MAP_WRITE_INVALIDATE_REGION) && (flags & (CL_MAP_READ | CL_MAP_WRITE)));
}

Result<void *> enqueueMap(cl_command_queue queue, cl_mem handle, cl_bool blocking, cl_map_flags flags, size_t offset,
                          size_t size, const Waiting &waiting) {
  if (cl_int code = checkQueueAndBuffer(queue, handle))
    return Error{code};
  Memory &buffer = objectOf(handle);
  // CL_INVALID_VALUE if the region being mapped is out of bounds, or if size is zero.
  if (size == 0 || !buffer.contains(offset, size) || !areMapFlags(flags))
    return Error{CL_INVALID_VALUE};
  // CL_INVALID_OPERATION if buffer was created with CL_MEM_HOST_WRITE_ONLY or CL_MEM_HOST_NO_ACCESS and CL_MAP_READ is
  // set in map_flags, or with CL_MEM_HOST_READ_ONLY or CL_MEM_HOST_NO_ACCESS and one of the writing flags is.
  if (flags & CL_MAP_READ)
    if (cl_int code = checkHostAccess(buffer, HostAccess::Read))
      return Error{code};
  if (flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION))
    if (cl_int code = checkHostAccess(buffer, HostAccess::Write))
      return Error{code};
  auto command = Command::prepare(objectOf(queue), CL_COMMAND_MAP_BUFFER, waiting);
  if (!command)
    return command.error();
  if (cl_int code = buffer.map(offset, size, flags))
    return Error{code};
  std::byte *pointer = buffer.data() + offset;
  if (cl_int code =
          command->run([buffer = Ref<Memory>(buffer)] { return scheduler::kComplete; }, startOf(blocking, 0))) {
    buffer.unmap(pointer);
    return Error{code};
  }
  return static_cast<void *>(pointer);
}

cl_int enqueueUnmap(cl_command_queue queue, cl_mem handle, void *pointer, const Waiting &waiting) {
  if (cl_int code = validate(queue, handle))
    return code;
  Memory &memory = objectOf(handle);
  if (&objectOf(queue).context() != &memory.context())
    return CL_INVALID_CONTEXT;
  auto command = Command::prepare(objectOf(queue), CL_COMMAND_UNMAP_MEM_OBJECT, waiting);
  if (!command)
    return command.code();
  // CL_INVALID_VALUE if mapped_ptr is not a valid pointer returned by clEnqueueMapBuffer for memobj.
  if (!memory.unmap(pointer))
    return CL_INVALID_VALUE;
  return command->run([memory = Ref<Memory>(memory)] { return scheduler::kComplete; }, startOf(false, 0));
}

} // namespace
} // namespace lanecl::icd

using namespace lanecl::icd;

CL_API_ENTRY void *CL_API_CALL clEnqueueMapBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                                  cl_map_flags flags, size_t offset, size_t size, cl_uint count,
                                                  const cl_event *events, cl_event *event, cl_int *errcode_ret) {
  return create(errcode_ret,
                [&] { return enqueueMap(queue, buffer, blocking, flags, offset, size, {count, events, event}); });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueUnmapMemObject(cl_command_queue queue, cl_mem memory, void *pointer,
                                                        cl_uint count, const cl_event *events, cl_event *event) {
  return entry([&] { return enqueueUnmap(queue, memory, pointer, {count, events, event}); });
}
