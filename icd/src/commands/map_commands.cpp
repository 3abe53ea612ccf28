// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Maps and unmaps memory objects. Device memory is the host's, so a mapped pointer points into the object itself and no
// data is moved. A command only has to keep its order, return the pointer and register the mapping.
#include "api/entry.h"
#include "api/shadow.h"
#include "check/host/host_reads.h"
#include "commands/image_access.h"

namespace lanecl::icd {
namespace {

constexpr cl_map_flags kMapFlags = CL_MAP_READ | CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;

// CL_INVALID_VALUE if values specified in map_flags are not valid: unknown bits, or CL_MAP_WRITE_INVALIDATE_REGION,
// which is mutually exclusive with CL_MAP_READ and CL_MAP_WRITE, with one of them.
bool areMapFlags(cl_map_flags flags) {
  return (flags & ~kMapFlags) == 0 &&
         !((flags & CL_MAP_WRITE_INVALIDATE_REGION) && (flags & (CL_MAP_READ | CL_MAP_WRITE)));
}

// Reveals check mode that the mapped region is initialized, because the host may write it from now on. `box` is as in
// map().
void markWrittenBox(const Memory &memory, const ElementBox &box, std::byte *pointer) {
  if (!memory.image())
    return markWritten(pointer, box.region[0]);
  const Rect rect = memory.image()->rectOf(box.origin);
  const Box bytes = memory.image()->bytesOf(box.region);
  for (size_t slice = 0; shadowsAllMemory() && slice < bytes[2]; ++slice)
    for (size_t row = 0; row < bytes[1]; ++row)
      markWritten(memory.data() + rect.rowOffset(row, slice), bytes[0]);
}

// Describes for check mode how the host accesses the mapped region.
MemoryUse mappedBy(const Memory &memory, const ElementBox &box, bool writes) {
  const auto access = writes ? MemoryUse::Access::Writes : MemoryUse::Access::Reads;
  if (const Image *const image = memory.image())
    return {memory.data(), image->rectOf(box.origin), image->bytesOf(box.region), access, "the mapped memory"};
  return MemoryUse::ofBytes(memory.data() + box.origin[0], box.region[0], access, "the mapped memory");
}

// Returns true if the host may write a region that is mapped with these flags.
bool isWrittenMap(cl_map_flags flags) {
  return (flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)) != 0;
}

// CL_INVALID_OPERATION if the object was created with CL_MEM_HOST_WRITE_ONLY or CL_MEM_HOST_NO_ACCESS and CL_MAP_READ
// is set in map_flags, or with CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_NO_ACCESS or CL_MEM_IMMUTABLE_EXT and one of the
// writing flags is.
cl_int checkMapAccess(const Memory &memory, cl_map_flags flags) {
  if ((flags & CL_MAP_READ) != 0)
    if (cl_int code = checkHostAccess(memory, HostAccess::Read))
      return code;
  return isWrittenMap(flags) ? checkHostAccess(memory, HostAccess::Write) : CL_SUCCESS;
}

// Maps a region of a buffer or of an image. `box` is in bytes for a buffer and in elements for an image, and `pointer`
// is the region's first byte.
Result<void *> map(CommandQueue &queue, Memory &memory, cl_command_type type, cl_bool blocking, cl_map_flags flags,
                   const ElementBox &box, std::byte *pointer, const WaitArguments &waiting) {
  const bool writes = isWrittenMap(flags);
  auto command = Command::prepare(queue, type, waiting);
  if (!command)
    return command.error();
  if (cl_int code = memory.map(pointer, box, flags))
    return Error{code};
  const auto begin = [=, memory = Ref<Memory>(memory),
                      host_read = HostRead(type, memory.root().data(), memory.root().size())] {
    if (writes)
      markWrittenBox(*memory, box, pointer);
    else if (!memory->image())
      host_read.of(pointer, box.region[0]);
    return scheduler::kComplete;
  };
  if (cl_int code = command->run(begin, startOf(blocking, 0))) {
    memory.unmap(pointer);
    return Error{code};
  }
  if (command->order() != 0)
    noteMapping(&memory, pointer, command->order(), mappedBy(memory, box, writes));
  return static_cast<void *>(pointer);
}

Result<void *> enqueueMapBuffer(cl_command_queue queue, cl_mem handle, cl_bool blocking, cl_map_flags flags,
                                size_t offset, size_t size, const WaitArguments &waiting) {
  if (cl_int code = checkQueueAndBuffer(queue, handle))
    return Error{code};
  Memory &buffer = objectOf(handle);
  // CL_INVALID_VALUE if the region being mapped is out of bounds, or if size is zero.
  if (size == 0 || !buffer.contains(offset, size) || !areMapFlags(flags))
    return Error{CL_INVALID_VALUE};
  if (cl_int code = checkMapAccess(buffer, flags))
    return Error{code};
  return map(objectOf(queue), buffer, CL_COMMAND_MAP_BUFFER, blocking, flags, {{offset, 0, 0}, {size, 1, 1}},
             buffer.data() + offset, waiting);
}

// The variables of the application that receive the pitches.
struct Pitches {
  size_t *row, *slice;
};

Result<void *> enqueueMapImage(cl_command_queue queue, cl_mem handle, cl_bool blocking, cl_map_flags flags,
                               const size_t *origin, const size_t *region, const Pitches &pitches,
                               const WaitArguments &waiting) {
  if (cl_int code = checkQueueAndImage(queue, handle))
    return Error{code};
  Memory &memory = objectOf(handle);
  const Image &image = *memory.image();
  ElementBox box;
  if (cl_int code = readBox(image, origin, region, box))
    return Error{code};
  if (!areMapFlags(flags))
    return Error{CL_INVALID_VALUE};
  if (cl_int code = checkMapAccess(memory, flags))
    return Error{code};
  // CL_INVALID_VALUE if image_row_pitch is NULL, or if image is a 3D image or an array and image_slice_pitch is NULL.
  if (!pitches.row || (image.hasSlices() && !pitches.slice))
    return Error{CL_INVALID_VALUE};
  auto mapped = map(objectOf(queue), memory, CL_COMMAND_MAP_IMAGE, blocking, flags, box,
                    memory.data() + image.rectOf(box.origin).offset, waiting);
  if (!mapped)
    return mapped;
  *pitches.row = image.description.image_row_pitch;
  // For a 1D and 2D image, zero is returned if this argument is not NULL.
  if (pitches.slice)
    *pitches.slice = image.description.image_slice_pitch;
  return mapped;
}

cl_int enqueueUnmap(cl_command_queue queue, cl_mem handle, void *pointer, const WaitArguments &waiting) {
  if (cl_int code = validate(queue, handle))
    return code;
  Memory &memory = objectOf(handle);
  if (&objectOf(queue).context() != &memory.context())
    return CL_INVALID_CONTEXT;
  auto command = Command::prepare(objectOf(queue), CL_COMMAND_UNMAP_MEM_OBJECT, waiting);
  if (!command)
    return command.code();
  // CL_INVALID_VALUE if mapped_ptr is not a valid pointer returned by clEnqueueMapBuffer or clEnqueueMapImage for
  // memobj.
  if (!memory.unmap(pointer)) {
    noteWrongUnmap(pointer);
    return CL_INVALID_VALUE;
  }
  command->isBehind(takeMapping(&memory, pointer));
  return command->run([memory = Ref<Memory>(memory)] { return scheduler::kComplete; }, startOf(false, 0));
}

} // namespace
} // namespace lanecl::icd

using namespace lanecl::icd;

CL_API_ENTRY void *CL_API_CALL clEnqueueMapBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                                  cl_map_flags flags, size_t offset, size_t size, cl_uint count,
                                                  const cl_event *events, cl_event *event, cl_int *errcode_ret) {
  return create(errcode_ret,
                [&] { return enqueueMapBuffer(queue, buffer, blocking, flags, offset, size, {count, events, event}); });
}

CL_API_ENTRY void *CL_API_CALL clEnqueueMapImage(cl_command_queue queue, cl_mem image, cl_bool blocking,
                                                 cl_map_flags flags, const size_t *origin, const size_t *region,
                                                 size_t *row_pitch, size_t *slice_pitch, cl_uint count,
                                                 const cl_event *events, cl_event *event, cl_int *errcode_ret) {
  return create(errcode_ret, [&] {
    return enqueueMapImage(queue, image, blocking, flags, origin, region, {row_pitch, slice_pitch},
                           {count, events, event});
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueUnmapMemObject(cl_command_queue queue, cl_mem memory, void *pointer,
                                                        cl_uint count, const cl_event *events, cl_event *event) {
  return entry([&] { return enqueueUnmap(queue, memory, pointer, {count, events, event}); });
}
