// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The clCommand… entry points, except that for kernels. Each records what the clEnqueue… function of the same name
// does.
#include "api/entry.h"
#include "command_buffer/recording.h"
#include "commands/copy_commands.h"
#include "commands/pointer_commands.h"

namespace lanecl::icd {
namespace {

// Checks the request and calls `command` with the command buffer as the destination of the command.
template <class Command> cl_int record(const RecordRequest &request, Command &&command) {
  return entry([&] {
    Recording recording(request);
    if (cl_int code = recording.checkPlain())
      return code;
    return cl_int(command(recording.destination()));
  });
}

cl_int recordBarrier(const RecordRequest &request) {
  Recording recording(request);
  if (cl_int code = recording.checkPlain())
    return code;
  if (cl_int code = recording.checkSyncPoints())
    return code;
  return recording.addBarrier();
}

} // namespace
} // namespace lanecl::icd

namespace lanecl::command_buffer {

using namespace lanecl::icd;

cl_int CL_API_CALL clCommandBarrierWithWaitListKHR(cl_command_buffer_khr buffer, cl_command_queue queue,
                                                   const CommandProperties *properties, cl_uint count,
                                                   const cl_sync_point_khr *points, cl_sync_point_khr *point,
                                                   cl_mutable_command_khr *handle) {
  return entry([&] { return recordBarrier({buffer, queue, properties, count, points, point, handle}); });
}

cl_int CL_API_CALL clCommandCopyBufferKHR(cl_command_buffer_khr buffer, cl_command_queue queue,
                                          const CommandProperties *properties, cl_mem source, cl_mem target,
                                          size_t source_offset, size_t target_offset, size_t size, cl_uint count,
                                          const cl_sync_point_khr *points, cl_sync_point_khr *point,
                                          cl_mutable_command_khr *handle) {
  return record({buffer, queue, properties, count, points, point, handle}, [&](const Destination &to) {
    return copyBuffer(to, source, target, source_offset, target_offset, size);
  });
}

cl_int CL_API_CALL clCommandCopyBufferRectKHR(cl_command_buffer_khr buffer, cl_command_queue queue,
                                              const CommandProperties *properties, cl_mem source, cl_mem target,
                                              const size_t *source_origin, const size_t *target_origin,
                                              const size_t *region, size_t source_row_pitch, size_t source_slice_pitch,
                                              size_t target_row_pitch, size_t target_slice_pitch, cl_uint count,
                                              const cl_sync_point_khr *points, cl_sync_point_khr *point,
                                              cl_mutable_command_khr *handle) {
  return record({buffer, queue, properties, count, points, point, handle}, [&](const Destination &to) {
    return copyBufferRect(to, source, target, {source_origin, source_row_pitch, source_slice_pitch},
                          {target_origin, target_row_pitch, target_slice_pitch}, region);
  });
}

cl_int CL_API_CALL clCommandCopyBufferToImageKHR(cl_command_buffer_khr buffer, cl_command_queue queue,
                                                 const CommandProperties *properties, cl_mem source, cl_mem target,
                                                 size_t offset, const size_t *origin, const size_t *region,
                                                 cl_uint count, const cl_sync_point_khr *points,
                                                 cl_sync_point_khr *point, cl_mutable_command_khr *handle) {
  return record({buffer, queue, properties, count, points, point, handle},
                [&](const Destination &to) { return copyBufferToImage(to, source, target, offset, origin, region); });
}

cl_int CL_API_CALL clCommandCopyImageKHR(cl_command_buffer_khr buffer, cl_command_queue queue,
                                         const CommandProperties *properties, cl_mem source, cl_mem target,
                                         const size_t *source_origin, const size_t *target_origin, const size_t *region,
                                         cl_uint count, const cl_sync_point_khr *points, cl_sync_point_khr *point,
                                         cl_mutable_command_khr *handle) {
  return record({buffer, queue, properties, count, points, point, handle}, [&](const Destination &to) {
    return copyImage(to, source, target, source_origin, target_origin, region);
  });
}

cl_int CL_API_CALL clCommandCopyImageToBufferKHR(cl_command_buffer_khr buffer, cl_command_queue queue,
                                                 const CommandProperties *properties, cl_mem source, cl_mem target,
                                                 const size_t *origin, const size_t *region, size_t offset,
                                                 cl_uint count, const cl_sync_point_khr *points,
                                                 cl_sync_point_khr *point, cl_mutable_command_khr *handle) {
  return record({buffer, queue, properties, count, points, point, handle},
                [&](const Destination &to) { return copyImageToBuffer(to, source, target, origin, region, offset); });
}

cl_int CL_API_CALL clCommandFillBufferKHR(cl_command_buffer_khr buffer, cl_command_queue queue,
                                          const CommandProperties *properties, cl_mem target, const void *pattern,
                                          size_t pattern_size, size_t offset, size_t size, cl_uint count,
                                          const cl_sync_point_khr *points, cl_sync_point_khr *point,
                                          cl_mutable_command_khr *handle) {
  return record({buffer, queue, properties, count, points, point, handle},
                [&](const Destination &to) { return fillBuffer(to, target, pattern, pattern_size, offset, size); });
}

cl_int CL_API_CALL clCommandFillImageKHR(cl_command_buffer_khr buffer, cl_command_queue queue,
                                         const CommandProperties *properties, cl_mem image, const void *color,
                                         const size_t *origin, const size_t *region, cl_uint count,
                                         const cl_sync_point_khr *points, cl_sync_point_khr *point,
                                         cl_mutable_command_khr *handle) {
  return record({buffer, queue, properties, count, points, point, handle},
                [&](const Destination &to) { return fillImage(to, image, color, origin, region); });
}

cl_int CL_API_CALL clCommandSVMMemcpyKHR(cl_command_buffer_khr buffer, cl_command_queue queue,
                                         const CommandProperties *properties, void *target, const void *source,
                                         size_t size, cl_uint count, const cl_sync_point_khr *points,
                                         cl_sync_point_khr *point, cl_mutable_command_khr *handle) {
  return record({buffer, queue, properties, count, points, point, handle}, [&](const Destination &to) {
    return copyPointers(to, CL_COMMAND_SVM_MEMCPY, CL_FALSE, target, source, size);
  });
}

cl_int CL_API_CALL clCommandSVMMemFillKHR(cl_command_buffer_khr buffer, cl_command_queue queue,
                                          const CommandProperties *properties, void *target, const void *pattern,
                                          size_t pattern_size, size_t size, cl_uint count,
                                          const cl_sync_point_khr *points, cl_sync_point_khr *point,
                                          cl_mutable_command_khr *handle) {
  return record({buffer, queue, properties, count, points, point, handle}, [&](const Destination &to) {
    return fillPointer(to, CL_COMMAND_SVM_MEMFILL, target, pattern, pattern_size, size);
  });
}

} // namespace lanecl::command_buffer
