// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The copies and fills of SVM and USM, shared by queues and command buffers.

#include "commands/pointer_commands.h"

#include "api/shadow.h"
#include "commands/fill.h"
#include "icd/capabilities.h"

#include <algorithm>

namespace lanecl::icd {

// Returns true if the pointer points into an allocation that the host writes by commands only.
static bool isOfDeviceOnly(Context &context, const void *pointer) {
  if (const auto allocation = context.usm().find(pointer))
    return allocation->facts.isOfDeviceOnly();
  const auto allocation = context.svm().find(pointer);
  return allocation && allocation->facts.isOfDeviceOnly();
}

HostRead hostReadOf(Context &context, cl_command_type type, const void *pointer) {
  const auto of = [&](const auto &allocation) {
    return HostRead(type, static_cast<const std::byte *>(allocation.base), allocation.size);
  };
  if (!shadowsAllMemory())
    return {};
  if (const auto allocation = context.usm().find(pointer))
    return of(*allocation);
  const auto allocation = context.svm().find(pointer);
  return allocation ? of(*allocation) : HostRead();
}

// Returns true if a command accepts the pointer. NULL is valid only for a command of cl_khr_unified_svm that accesses
// nothing.
static bool isPointer(cl_command_type type, const void *pointer, size_t size) {
  const bool is_svm = type == CL_COMMAND_SVM_MEMCPY || type == CL_COMMAND_SVM_MEMFILL;
  return pointer || (size == 0 && is_svm && hasExtension("cl_khr_unified_svm"));
}

cl_int copyPointers(const Destination &to, cl_command_type type, cl_bool blocking, void *target, const void *source,
                    size_t size) {
  if (cl_int code = validate(to.queue))
    return code;
  // CL_INVALID_VALUE if dst_ptr or src_ptr is NULL.
  if (!isPointer(type, target, size) || !isPointer(type, source, size))
    return CL_INVALID_VALUE;
  // CL_MEM_COPY_OVERLAP if the values specified for dst_ptr, src_ptr and size result in an overlapping copy.
  const auto target_address = reinterpret_cast<uintptr_t>(target), source_address = reinterpret_cast<uintptr_t>(source);
  if (target_address < source_address + size && source_address < target_address + size)
    return CL_MEM_COPY_OVERLAP;
  auto command = Command::prepare(to, type);
  if (!command)
    return command.code();
  command->reads(source, size, "its source");
  command->writes(target, size, "its destination");
  Context &context = objectOf(to.queue).context();
  // Check mode: a copy to memory that the host can read is reported if its source is uninitialized. A copy between
  // allocations of the device copies for each byte whether it is initialized.
  const bool is_for_host = !shadowsAllMemory() || !isOfDeviceOnly(context, target);
  const bool is_device_copy = !is_for_host && isOfDeviceOnly(context, source);
  const HostRead host_read = is_for_host ? hostReadOf(context, type, source) : HostRead();
  return command->runInChunks(size, blocking, [=](size_t begin, size_t end) {
    if (begin == 0)
      host_read.of(static_cast<const std::byte *>(source), size);
    std::byte *const into = static_cast<std::byte *>(target) + begin;
    const std::byte *const from = static_cast<const std::byte *>(source) + begin;
    std::copy_n(from, end - begin, into); // std::copy_n, because memcpy must not get NULL even for 0 bytes
    if (is_device_copy)
      copyMarks(into, from, end - begin);
    else
      markWritten(into, end - begin);
  });
}

cl_int fillPointer(const Destination &to, cl_command_type type, void *target, const void *pattern, size_t pattern_size,
                   size_t size) {
  if (cl_int code = validate(to.queue))
    return code;
  // CL_INVALID_VALUE if the pointer is NULL or not aligned to pattern_size bytes, or if size is not a multiple of it.
  if (!isPointer(type, target, size) || !isFillPattern(pattern, pattern_size) ||
      reinterpret_cast<uintptr_t>(target) % pattern_size != 0 || size % pattern_size != 0)
    return CL_INVALID_VALUE;
  auto command = Command::prepare(to, type);
  if (!command)
    return command.code();
  command->writes(target, size, "its destination");
  return command->runInChunks(size, false, [=, fill = FillPattern(pattern, pattern_size)](size_t begin, size_t end) {
    fill.fill(static_cast<std::byte *>(target) + begin, end - begin);
    markWritten(static_cast<std::byte *>(target) + begin, end - begin);
  });
}

} // namespace lanecl::icd
