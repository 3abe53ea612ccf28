// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The …Rect forms of reading, writing and copying buffers: they move boxes of bytes.
#include "api/entry.h"
#include "api/shadow.h"
#include "check/host/host_reads.h"
#include "commands/buffer_access.h"
#include "commands/copy_commands.h"
#include "memory/rect.h"

namespace lanecl::icd {
namespace {

// Reads the size of a box. Returns false, which means CL_INVALID_VALUE, if the region is NULL or if any of its elements
// is zero.
bool readRegion(const size_t *region, Box &box) {
  if (!region || region[0] == 0 || region[1] == 0 || region[2] == 0)
    return false;
  box = {region[0], region[1], region[2]};
  return true;
}

// Makes the position of a box in a buffer. CL_INVALID_VALUE if the origin is NULL, if the pitches do not fit, or if the
// region is out of bounds of the buffer.
cl_int makeInside(Rect &rect, const Memory &buffer, const BoxSide &side, const Box &region) {
  if (!side.origin)
    return CL_INVALID_VALUE;
  if (cl_int code = Rect::make(rect, side.origin, region, side.row_pitch, side.slice_pitch))
    return code;
  size_t end = 0;
  return rectEnd(rect, region, end) && end <= buffer.size() ? CL_SUCCESS : CL_INVALID_VALUE;
}

// Copies a box from the host's memory to a buffer, and tells check mode that its bytes are initialized.
void writeRect(std::byte *target, const Rect &inside, const std::byte *source, const Rect &outside, const Box &box) {
  copyRect(target, inside, source, outside, box);
  for (size_t slice = 0; shadowsAllMemory() && slice < box[2]; ++slice)
    for (size_t row = 0; row < box[1]; ++row)
      markWritten(target + inside.rowOffset(row, slice), box[0]);
}

cl_int enqueueTransferRect(HostAccess access, cl_command_queue queue, cl_mem handle, cl_bool blocking,
                           const BoxSide &buffer_side, const BoxSide &host_side, const size_t *region, void *pointer,
                           const WaitArguments &waiting) {
  if (cl_int code = checkQueueAndBuffer(queue, handle))
    return code;
  Memory &buffer = objectOf(handle);
  Box box;
  Rect inside, host;
  // CL_INVALID_VALUE if ptr is NULL.
  if (!pointer || !host_side.origin || !readRegion(region, box))
    return CL_INVALID_VALUE;
  if (cl_int code = makeInside(inside, buffer, buffer_side, box))
    return code;
  if (cl_int code = Rect::make(host, host_side.origin, box, host_side.row_pitch, host_side.slice_pitch))
    return code;
  if (cl_int code = checkHostAccess(buffer, access))
    return code;
  const bool reads = access == HostAccess::Read;
  auto command =
      Command::prepare(objectOf(queue), reads ? CL_COMMAND_READ_BUFFER_RECT : CL_COMMAND_WRITE_BUFFER_RECT, waiting);
  if (!command)
    return command.code();
  using Access = MemoryUse::Access;
  command->uses(reads ? Access::Reads : Access::Writes, buffer.data(), inside, box, "its buffer");
  command->usesHost({static_cast<const std::byte *>(pointer), host, box, reads ? Access::Writes : Access::Reads, {}});
  return command->run(
      [=, buffer = Ref<Memory>(buffer), host_bytes = static_cast<std::byte *>(pointer),
       host_read = HostRead(CL_COMMAND_READ_BUFFER_RECT, buffer.root().data(), buffer.root().size())] {
        if (reads) {
          copyRect(host_bytes, host, buffer->data(), inside, box);
          host_read.of(buffer->data(), inside, box);
        } else {
          writeRect(buffer->data(), inside, host_bytes, host, box);
        }
        return scheduler::kComplete;
      },
      startOf(blocking, volume(box)));
}

} // namespace

cl_int copyBufferRect(const Destination &to, cl_mem source, cl_mem target, const BoxSide &source_side,
                      const BoxSide &target_side, const size_t *region) {
  if (cl_int code = checkQueueAndBuffer(to.queue, source))
    return code;
  if (cl_int code = checkQueueAndBuffer(to.queue, target))
    return code;
  Memory &from = objectOf(source), &into = objectOf(target);
  if (cl_int code = checkMutable(into))
    return code;
  Box box;
  Rect from_rect, into_rect;
  if (!readRegion(region, box))
    return CL_INVALID_VALUE;
  if (cl_int code = makeInside(from_rect, from, source_side, box))
    return code;
  if (cl_int code = makeInside(into_rect, into, target_side, box))
    return code;
  // CL_INVALID_VALUE if src_buffer and dst_buffer are the same buffer object and src_slice_pitch is not equal to
  // dst_slice_pitch, or src_row_pitch is not equal to dst_row_pitch.
  if (&from == &into && (from_rect.row_pitch != into_rect.row_pitch || from_rect.slice_pitch != into_rect.slice_pitch))
    return CL_INVALID_VALUE;
  // CL_MEM_COPY_OVERLAP if both are of the same buffer object and the source and destination regions overlap.
  if (&from.root() == &into.root() && rectsOverlap(from.data(), from_rect, into.data(), into_rect, box))
    return CL_MEM_COPY_OVERLAP;
  auto command = Command::prepare(to, CL_COMMAND_COPY_BUFFER_RECT);
  if (!command)
    return command.code();
  command->uses(MemoryUse::Access::Reads, from.data(), from_rect, box, "its source");
  command->uses(MemoryUse::Access::Writes, into.data(), into_rect, box, "its destination");
  return command->run(
      [=, from = Ref<Memory>(from), into = Ref<Memory>(into)] {
        copyRect(into->data(), into_rect, from->data(), from_rect, box);
        if (shadowsAllMemory())
          copyRect(shadowOf(into->data()), into_rect, shadowOf(from->data()), from_rect, box);
        return scheduler::kComplete;
      },
      startOf(false, volume(box)));
}

} // namespace lanecl::icd

using namespace lanecl::icd;

CL_API_ENTRY cl_int CL_API_CALL clEnqueueReadBufferRect(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                                        const size_t *buffer_origin, const size_t *host_origin,
                                                        const size_t *region, size_t buffer_row_pitch,
                                                        size_t buffer_slice_pitch, size_t host_row_pitch,
                                                        size_t host_slice_pitch, void *pointer, cl_uint count,
                                                        const cl_event *events, cl_event *event) {
  return entry([&] {
    return enqueueTransferRect(
        HostAccess::Read, queue, buffer, blocking, {buffer_origin, buffer_row_pitch, buffer_slice_pitch},
        {host_origin, host_row_pitch, host_slice_pitch}, region, pointer, {count, events, event});
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueWriteBufferRect(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                                         const size_t *buffer_origin, const size_t *host_origin,
                                                         const size_t *region, size_t buffer_row_pitch,
                                                         size_t buffer_slice_pitch, size_t host_row_pitch,
                                                         size_t host_slice_pitch, const void *pointer, cl_uint count,
                                                         const cl_event *events, cl_event *event) {
  return entry([&] {
    return enqueueTransferRect(
        HostAccess::Write, queue, buffer, blocking, {buffer_origin, buffer_row_pitch, buffer_slice_pitch},
        {host_origin, host_row_pitch, host_slice_pitch}, region, const_cast<void *>(pointer), {count, events, event});
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueCopyBufferRect(cl_command_queue queue, cl_mem source, cl_mem target,
                                                        const size_t *source_origin, const size_t *target_origin,
                                                        const size_t *region, size_t source_row_pitch,
                                                        size_t source_slice_pitch, size_t target_row_pitch,
                                                        size_t target_slice_pitch, cl_uint count,
                                                        const cl_event *events, cl_event *event) {
  return entry([&] {
    return copyBufferRect({queue, {count, events, event}}, source, target,
                          {source_origin, source_row_pitch, source_slice_pitch},
                          {target_origin, target_row_pitch, target_slice_pitch}, region);
  });
}
