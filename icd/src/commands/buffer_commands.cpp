// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Reads, writes, copies and fills buffers, and migrates memory objects.
#include "api/entry.h"
#include "api/shadow.h"
#include "check/host/host_reads.h"
#include "commands/buffer_access.h"
#include "commands/copy_commands.h"
#include "commands/fill.h"

namespace lanecl::icd {
namespace {

// Returns true if two ranges of `size` bytes overlap.
bool overlap(const std::byte *a, const std::byte *b, size_t size) {
  return a < b + size && b < a + size;
}

// Reads or writes a buffer: `pointer` is the host's side of the transfer.
cl_int enqueueTransfer(HostAccess access, cl_command_queue queue, cl_mem handle, cl_bool blocking, size_t offset,
                       size_t size, void *pointer, const WaitArguments &waiting) {
  if (cl_int code = checkQueueAndBuffer(queue, handle))
    return code;
  Memory &buffer = objectOf(handle);
  // CL_INVALID_VALUE if the region being read or written is out of bounds or if ptr is NULL.
  if (!pointer || !buffer.contains(offset, size))
    return CL_INVALID_VALUE;
  if (cl_int code = checkHostAccess(buffer, access))
    return code;
  const bool reads = access == HostAccess::Read;
  auto command = Command::prepare(objectOf(queue), reads ? CL_COMMAND_READ_BUFFER : CL_COMMAND_WRITE_BUFFER, waiting);
  if (!command)
    return command.code();
  std::byte *device = buffer.data() + offset, *host = static_cast<std::byte *>(pointer);
  std::byte *const to = reads ? host : device, *const from = reads ? device : host;
  using Access = MemoryUse::Access;
  if (reads)
    command->reads(device, size, "its buffer");
  else
    command->writes(device, size, "its buffer");
  command->usesHost(MemoryUse::ofBytes(host, size, reads ? Access::Writes : Access::Reads, {}));
  // Check mode: a write initializes the buffer, and a read of uninitialized bytes is reported, once for the whole
  // transfer.
  const auto mark = [=, host_read = HostRead(CL_COMMAND_READ_BUFFER, buffer.root().data(), buffer.root().size())](
                        size_t begin, size_t end) {
    if (!reads)
      markWritten(to + begin, end - begin);
    else if (begin == 0)
      host_read.of(from, size);
  };
  // The two sides may overlap with CL_MEM_USE_HOST_PTR, where the host's pointer may lie in the buffer.
  if (overlap(to, from, size))
    return command->run(
        [=, buffer = Ref<Memory>(buffer)] {
          std::memmove(to, from, size);
          mark(0, size);
          return scheduler::kComplete;
        },
        startOf(blocking, size));
  return command->runInChunks(size, blocking, [=, buffer = Ref<Memory>(buffer)](size_t begin, size_t end) {
    std::memcpy(to + begin, from + begin, end - begin);
    mark(begin, end);
  });
}

cl_int enqueueMigrate(cl_command_queue queue, cl_uint count, const cl_mem *objects, cl_mem_migration_flags flags,
                      const WaitArguments &waiting) {
  if (cl_int code = validate(queue))
    return code;
  // CL_INVALID_VALUE if num_mem_objects is zero or if mem_objects is NULL.
  if (count == 0 || !objects)
    return CL_INVALID_VALUE;
  // CL_INVALID_VALUE if flags is not 0 or is not any of the values described in the table.
  if ((flags & ~cl_mem_migration_flags(CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED)) != 0)
    return CL_INVALID_VALUE;
  for (cl_uint i = 0; i < count; ++i) {
    if (cl_int code = validate(objects[i]))
      return code;
    if (&objectOf(objects[i]).context() != &objectOf(queue).context())
      return CL_INVALID_CONTEXT;
  }
  auto command = Command::prepare(objectOf(queue), CL_COMMAND_MIGRATE_MEM_OBJECTS, waiting);
  // Host and device share their memory, so nothing has to be moved.
  return command ? command->run([] { return scheduler::kComplete; }, startOf(false, 0)) : command.code();
}

} // namespace

cl_int copyBuffer(const Destination &to, cl_mem source, cl_mem target, size_t source_offset, size_t target_offset,
                  size_t size) {
  if (cl_int code = checkQueueAndBuffer(to.queue, source))
    return code;
  if (cl_int code = checkQueueAndBuffer(to.queue, target))
    return code;
  Memory &from = objectOf(source), &into = objectOf(target);
  if (cl_int code = checkMutable(into))
    return code;
  // CL_INVALID_VALUE if the region is out of bounds of src_buffer or of dst_buffer.
  if (!from.contains(source_offset, size) || !into.contains(target_offset, size))
    return CL_INVALID_VALUE;
  // CL_MEM_COPY_OVERLAP if src_buffer and dst_buffer are the same buffer or sub-buffer object, or sub-buffers of the
  // same buffer object, and the regions overlap.
  if (&from.root() == &into.root() && overlap(from.data() + source_offset, into.data() + target_offset, size))
    return CL_MEM_COPY_OVERLAP;
  auto command = Command::prepare(to, CL_COMMAND_COPY_BUFFER);
  if (!command)
    return command.code();
  command->reads(from.data() + source_offset, size, "its source");
  command->writes(into.data() + target_offset, size, "its destination");
  return command->runInChunks(size, false,
                              [=, from = Ref<Memory>(from), into = Ref<Memory>(into)](size_t begin, size_t end) {
                                std::byte *const target = into->data() + target_offset + begin;
                                std::memcpy(target, from->data() + source_offset + begin, end - begin);
                                copyMarks(target, from->data() + source_offset + begin, end - begin);
                              });
}

cl_int fillBuffer(const Destination &to, cl_mem handle, const void *pattern, size_t pattern_size, size_t offset,
                  size_t size) {
  if (cl_int code = checkQueueAndBuffer(to.queue, handle))
    return code;
  Memory &buffer = objectOf(handle);
  if (cl_int code = checkMutable(buffer))
    return code;
  // CL_INVALID_VALUE if offset or size is not a multiple of pattern_size, or if the region is out of bounds.
  if (!isFillPattern(pattern, pattern_size) || offset % pattern_size != 0 || size % pattern_size != 0 ||
      !buffer.contains(offset, size))
    return CL_INVALID_VALUE;
  auto command = Command::prepare(to, CL_COMMAND_FILL_BUFFER);
  if (!command)
    return command.code();
  command->writes(buffer.data() + offset, size, "its buffer");
  return command->runInChunks(
      size, false,
      [=, buffer = Ref<Memory>(buffer), fill = FillPattern(pattern, pattern_size)](size_t begin, size_t end) {
        fill.fill(buffer->data() + offset + begin, end - begin);
        markWritten(buffer->data() + offset + begin, end - begin);
      });
}

} // namespace lanecl::icd

using namespace lanecl::icd;

CL_API_ENTRY cl_int CL_API_CALL clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                                    size_t offset, size_t size, void *pointer, cl_uint count,
                                                    const cl_event *events, cl_event *event) {
  return entry([&] {
    return enqueueTransfer(HostAccess::Read, queue, buffer, blocking, offset, size, pointer, {count, events, event});
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueWriteBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                                     size_t offset, size_t size, const void *pointer, cl_uint count,
                                                     const cl_event *events, cl_event *event) {
  return entry([&] {
    return enqueueTransfer(HostAccess::Write, queue, buffer, blocking, offset, size, const_cast<void *>(pointer),
                           {count, events, event});
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueCopyBuffer(cl_command_queue queue, cl_mem source, cl_mem target,
                                                    size_t source_offset, size_t target_offset, size_t size,
                                                    cl_uint count, const cl_event *events, cl_event *event) {
  return entry(
      [&] { return copyBuffer({queue, {count, events, event}}, source, target, source_offset, target_offset, size); });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueFillBuffer(cl_command_queue queue, cl_mem buffer, const void *pattern,
                                                    size_t pattern_size, size_t offset, size_t size, cl_uint count,
                                                    const cl_event *events, cl_event *event) {
  return entry(
      [&] { return fillBuffer({queue, {count, events, event}}, buffer, pattern, pattern_size, offset, size); });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueMigrateMemObjects(cl_command_queue queue, cl_uint num_objects,
                                                           const cl_mem *objects, cl_mem_migration_flags flags,
                                                           cl_uint count, const cl_event *events, cl_event *event) {
  return entry([&] { return enqueueMigrate(queue, num_objects, objects, flags, {count, events, event}); });
}
