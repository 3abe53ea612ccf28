// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Copies, fills and hints of cl_intel_unified_shared_memory.
#include "api/entry.h"
#include "commands/pointer_commands.h"

#include <CL/cl_ext.h>

namespace lanecl::icd {
namespace {

// Enqueues a hint: a command that does nothing, because host and device share their memory.
cl_int enqueueHint(cl_command_queue queue, cl_command_type type, const WaitArguments &waiting) {
  auto command = Command::prepare(objectOf(queue), type, waiting);
  return command ? command->run([] { return scheduler::kComplete; }, startOf(false, 0)) : command.code();
}

cl_int enqueueMigrate(cl_command_queue queue, cl_mem_migration_flags flags, const WaitArguments &waiting) {
  if (cl_int code = validate(queue))
    return code;
  // CL_INVALID_VALUE if flags is not a supported combination of memory migration flags. Zero, to the device, is one.
  if ((flags & ~cl_mem_migration_flags(CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED)) != 0)
    return CL_INVALID_VALUE;
  return enqueueHint(queue, CL_COMMAND_MIGRATEMEM_INTEL, waiting);
}

cl_int enqueueAdvise(cl_command_queue queue, cl_mem_advice_intel advice, const WaitArguments &waiting) {
  constexpr cl_mem_advice_intel kFirstReserved = 0x4208, kLastReserved = 0x420F;
  if (cl_int code = validate(queue))
    return code;
  // CL_INVALID_VALUE if advice is not supported advice. None is defined yet; the values reserved for it are hints that
  // may be ignored.
  if (advice != 0 && (advice < kFirstReserved || advice > kLastReserved))
    return CL_INVALID_VALUE;
  return enqueueHint(queue, CL_COMMAND_MEMADVISE_INTEL, waiting);
}

} // namespace
} // namespace lanecl::icd

using namespace lanecl::icd;

CL_API_ENTRY cl_int CL_API_CALL clEnqueueMemFillINTEL(cl_command_queue queue, void *target, const void *pattern,
                                                      size_t pattern_size, size_t size, cl_uint count,
                                                      const cl_event *events, cl_event *event) {
  return entry([&] {
    return fillPointer({queue, {count, events, event}}, CL_COMMAND_MEMFILL_INTEL, target, pattern, pattern_size, size);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueMemcpyINTEL(cl_command_queue queue, cl_bool blocking, void *target,
                                                     const void *source, size_t size, cl_uint count,
                                                     const cl_event *events, cl_event *event) {
  return entry([&] {
    return copyPointers({queue, {count, events, event}}, CL_COMMAND_MEMCPY_INTEL, blocking, target, source, size);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueMigrateMemINTEL(cl_command_queue queue, const void *, size_t,
                                                         cl_mem_migration_flags flags, cl_uint count,
                                                         const cl_event *events, cl_event *event) {
  return entry([&] { return enqueueMigrate(queue, flags, {count, events, event}); });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueMemAdviseINTEL(cl_command_queue queue, const void *, size_t,
                                                        cl_mem_advice_intel advice, cl_uint count,
                                                        const cl_event *events, cl_event *event) {
  return entry([&] { return enqueueAdvise(queue, advice, {count, events, event}); });
}
