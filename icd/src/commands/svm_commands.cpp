// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Commands on shared virtual memory (OpenCL 3.0, section 5.6). Host and device share one memory with coherent caches,
// so mapping and migrating move nothing.
#include "api/entry.h"
#include "api/shadow.h"
#include "commands/pointer_commands.h"
#include "icd/capabilities.h"

namespace lanecl::icd {
namespace {

using FreeFunction = void(CL_CALLBACK *)(cl_command_queue, cl_uint, void *[], void *);

cl_int enqueueFree(cl_command_queue handle, cl_uint count, void **pointers, FreeFunction function, void *user_data,
                   const WaitArguments &waiting) {
  if (cl_int code = validate(handle))
    return code;
  // CL_INVALID_VALUE if num_svm_pointers is 0 and svm_pointers is non-NULL, or if svm_pointers is NULL and
  // num_svm_pointers is not 0.
  if ((count == 0) != (pointers == nullptr))
    return CL_INVALID_VALUE;
  CommandQueue &queue = objectOf(handle);
  auto command = Command::prepare(queue, CL_COMMAND_SVM_FREE, waiting);
  if (!command)
    return command.code();
  std::vector<void *> list(pointers, pointers + count);
  for (cl_uint i = 0; i < count && !function; ++i)
    command->writes(pointers[i], queue.context().svm().bytesFrom(pointers[i]), "the memory that it frees");
  if (!function)
    return command->run([list = std::move(list), context = Ref<Context>(queue.context())] {
      for (void *pointer : list)
        context->svm().free(pointer);
      return scheduler::kComplete;
    });
  return command->runHostFunction([=, list = std::move(list), queue = Ref<CommandQueue>(queue)]() mutable {
    function(queue->handle(), cl_uint(list.size()), list.data(), user_data);
    return scheduler::kComplete;
  });
}

// Returns false, which means CL_INVALID_VALUE, if svm_ptr is NULL or points into memory that does not support mapping
// and unmapping for access on the host.
bool isMappable(Context &context, const void *pointer) {
  const auto allocation = context.svm().find(pointer);
  return pointer && (!allocation || allocation->facts.has(CL_SVM_CAPABILITY_HOST_MAP_KHR));
}

cl_int enqueueMap(cl_command_queue queue, cl_bool blocking, cl_map_flags flags, void *pointer, size_t size,
                  const WaitArguments &waiting) {
  if (cl_int code = validate(queue))
    return code;
  constexpr cl_map_flags kKnown = CL_MAP_READ | CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;
  // CL_INVALID_VALUE if size is zero, or if values specified in map_flags are not valid.
  if (!isMappable(objectOf(queue).context(), pointer) || size == 0 || (flags & ~kKnown) != 0 ||
      ((flags & CL_MAP_WRITE_INVALIDATE_REGION) && (flags & (CL_MAP_READ | CL_MAP_WRITE))))
    return CL_INVALID_VALUE;
  auto command = Command::prepare(objectOf(queue), CL_COMMAND_SVM_MAP, waiting);
  if (!command)
    return command.code();
  const bool writes = flags != CL_MAP_READ;
  if (writes)
    command->writes(pointer, size, "the memory that it maps");
  else
    command->reads(pointer, size, "the memory that it maps");
  return command->run(
      [=, host_read = hostReadOf(objectOf(queue).context(), CL_COMMAND_SVM_MAP, pointer)] {
        if (writes)
          markWritten(pointer, size);
        else
          host_read.of(static_cast<std::byte *>(pointer), size);
        return scheduler::kComplete;
      },
      startOf(blocking, 0));
}

cl_int enqueueUnmap(cl_command_queue queue, void *pointer, const WaitArguments &waiting) {
  if (cl_int code = validate(queue))
    return code;
  if (!isMappable(objectOf(queue).context(), pointer))
    return CL_INVALID_VALUE;
  auto command = Command::prepare(objectOf(queue), CL_COMMAND_SVM_UNMAP, waiting);
  return command ? command->run([] { return scheduler::kComplete; }, startOf(false, 0)) : command.code();
}

// Returns false, which means CL_INVALID_VALUE, if sizes[i] is non-zero and the memory range described by
// svm_pointers[i] and sizes[i] is not contained within an SVM allocation. With cl_khr_unified_svm the memory of the
// system's allocator counts as one allocation.
bool isMigrated(Context &context, const void *pointer, size_t size) {
  const size_t bytes = context.svm().bytesFrom(pointer);
  const bool is_of_system = bytes == 0 && pointer && hasExtension("cl_khr_unified_svm");
  return size <= bytes || is_of_system;
}

cl_int enqueueMigrate(cl_command_queue queue, cl_uint count, const void **pointers, const size_t *sizes,
                      cl_mem_migration_flags flags, const WaitArguments &waiting) {
  if (cl_int code = validate(queue))
    return code;
  // CL_INVALID_VALUE if num_svm_pointers is zero, if svm_pointers is NULL, or if flags is not a valid combination.
  if (count == 0 || !pointers ||
      (flags & ~cl_mem_migration_flags(CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED)) != 0)
    return CL_INVALID_VALUE;
  for (cl_uint i = 0; i < count; ++i)
    if (sizes && !isMigrated(objectOf(queue).context(), pointers[i], sizes[i]))
      return CL_INVALID_VALUE;
  auto command = Command::prepare(objectOf(queue), CL_COMMAND_SVM_MIGRATE_MEM, waiting);
  return command ? command->run([] { return scheduler::kComplete; }, startOf(false, 0)) : command.code();
}

} // namespace
} // namespace lanecl::icd

using namespace lanecl::icd;

CL_API_ENTRY cl_int CL_API_CALL clEnqueueSVMFree(cl_command_queue queue, cl_uint num_pointers, void *pointers[],
                                                 FreeFunction function, void *user_data, cl_uint count,
                                                 const cl_event *events, cl_event *event) {
  return entry([&] { return enqueueFree(queue, num_pointers, pointers, function, user_data, {count, events, event}); });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueSVMMemcpy(cl_command_queue queue, cl_bool blocking, void *target,
                                                   const void *source, size_t size, cl_uint count,
                                                   const cl_event *events, cl_event *event) {
  return entry([&] {
    return copyPointers({queue, {count, events, event}}, CL_COMMAND_SVM_MEMCPY, blocking, target, source, size);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueSVMMemFill(cl_command_queue queue, void *target, const void *pattern,
                                                    size_t pattern_size, size_t size, cl_uint count,
                                                    const cl_event *events, cl_event *event) {
  return entry([&] {
    return fillPointer({queue, {count, events, event}}, CL_COMMAND_SVM_MEMFILL, target, pattern, pattern_size, size);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueSVMMap(cl_command_queue queue, cl_bool blocking, cl_map_flags flags,
                                                void *pointer, size_t size, cl_uint count, const cl_event *events,
                                                cl_event *event) {
  return entry([&] { return enqueueMap(queue, blocking, flags, pointer, size, {count, events, event}); });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueSVMUnmap(cl_command_queue queue, void *pointer, cl_uint count,
                                                  const cl_event *events, cl_event *event) {
  return entry([&] { return enqueueUnmap(queue, pointer, {count, events, event}); });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueSVMMigrateMem(cl_command_queue queue, cl_uint num_pointers,
                                                       const void **pointers, const size_t *sizes,
                                                       cl_mem_migration_flags flags, cl_uint count,
                                                       const cl_event *events, cl_event *event) {
  return entry([&] { return enqueueMigrate(queue, num_pointers, pointers, sizes, flags, {count, events, event}); });
}
