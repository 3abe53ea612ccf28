// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The binary contract between generated code and the scheduler: plain structs, without LLVM and OpenCL headers.
//
// Generated code reads these structs by byte offset, and the vectorizer takes the offsets from this header by offsetof.
// So a field may be added or moved freely as long as both rooms are built together.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lanecl::abi {

// Host functions that generated code may call. They are passed by pointer, so that the vectorizer names no host symbol.
struct Services {
  // Prints one work-item's printf. `format` is the NUL-terminated format string, and `arguments` the packed arguments,
  // `bytes` bytes in all. Each argument is a 32-bit tag, padding to 8 bytes, the components, and padding to 8 bytes.
  // The tag has in bits 0-7 the size of a component in bytes, in bits 8-15 the number of components, in bit 16 whether
  // it is floating point, and in bit 17 whether it is a pointer. Returns what printf returns in OpenCL C: 0, or -1 on
  // failure.
  int32_t (*printf)(const char *format, const std::byte *arguments, uint32_t bytes);
};

// The parameters that all work-groups of an NDRange share. Sizes are in work-items; an unused dimension has size 1 and
// offset 0.
struct LaunchInfo {
  uint64_t global_size[3];
  uint64_t global_offset[3];
  uint64_t enqueued_local_size[3]; // as enqueued; work-groups at the edges of a non-uniform range are smaller
  uint64_t num_groups[3];
  uint32_t work_dim; // 1, 2 or 3
  uint32_t reserved;
  const std::byte *arguments; // packed kernel arguments, see below WorkGroupFunction
  const Services *services;
  std::byte *variables; // the program scope variables, at the offsets that the frontend has chosen
};

// The alignment of local memory, scratch memory, packed arguments and every allocation, in bytes: that of long16, the
// largest type of OpenCL C.
inline constexpr size_t kMemoryAlignment = 128;

// The state of a work-group whose sub-groups all wait in loops for writes of others (CompiledKernel::yields). The
// work-group itself is kept in the WorkerMemory of the call that started it; the next call with the same arguments goes
// on with it.
struct Suspension {
  uint64_t waits;     // not 0: the call returned before the work-group was done, and the next call goes on
  uint64_t moved;     // not 0: during the call a sub-group got to its end, to a barrier or out of a loop
  uint64_t sub_group; // a sub-group that waits, if none has moved
  uint64_t rounds;    // rounds in all calls so far; in a round, each waiting sub-group goes on once
  const char *place;  // the loop in which `sub_group` waits, as "file:line", or empty
};

// The memory of a thread that runs work-groups.
struct WorkerMemory {
  std::byte
      *local; // the __local memory of the running work-group, aligned to kMemoryAlignment and uninitialized at entry
  std::byte *scratch; // private memory and suspended sub-groups, aligned likewise
  // The sizes of both. No other memory starts directly at their ends, so a pointer to the end can still be attributed.
  uint64_t local_bytes, scratch_bytes;
  // The state of a call for one work-group that may be suspended. If it is null, the call returns only when all is
  // done.
  Suspension *suspension = nullptr;
};

// Runs the work-groups (x, y, z) for all x in [x_begin, x_end). `local_size` is the size of these work-groups, in
// work-items. It equals enqueued_local_size except at the edges of a non-uniform NDRange. A function that is
// specialized for a local size ignores it.
using WorkGroupFunction = void (*)(const LaunchInfo *launch, const WorkerMemory *worker, const uint64_t *local_size,
                                   uint64_t x_begin, uint64_t x_end, uint64_t y, uint64_t z);

// Packed kernel arguments. They come in order, each at the next multiple of its alignment:
//
//   value             size and alignment of its OpenCL type; a 3-component vector counts as one of 4
//   global, constant  8 bytes: the address
//   local             8 bytes: the offset in bytes from WorkerMemory::local
//   image             8 bytes: the address of the image's descriptor, see image.h
//   sampler           8 bytes: the sampler's bits in the low 32 bits, see image.h
//
// Returns the next multiple of `alignment` from `offset` on.
inline constexpr size_t align_up(size_t offset, size_t alignment) {
  return (offset + alignment - 1) / alignment * alignment;
}

} // namespace lanecl::abi
