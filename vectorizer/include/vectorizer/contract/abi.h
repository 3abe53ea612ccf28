// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The binary contract between generated code and the scheduler: plain structs, no LLVM, no OpenCL.
//
// Generated code reads these structs by byte offset (the vectorizer takes the offsets from this header with
// offsetof), so a field may be added or moved freely as long as both rooms are built together.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lanecl::abi {

// Host functions that generated code may call. Passed by pointer so that the vectorizer names no host symbol.
struct Services {
  // One work-item's printf. `format` is the NUL-terminated format string, `arguments` the packed arguments: for each
  // argument a 32-bit tag (bits 0-7: size in bytes of one component, bits 8-15: number of components,
  // bit 16: floating point, bit 17: pointer), padding to 8 bytes, then the components, then padding to 8 bytes.
  // `bytes` is the length of the packed arguments. Returns what printf returns in OpenCL C: 0, or -1 on failure.
  int32_t (*printf)(const char *format, const std::byte *arguments, uint32_t bytes);
};

// The parameters that all work-groups of an NDRange share. Sizes are in work-items, unused dimensions hold 1 (offset
// 0).
struct LaunchInfo {
  uint64_t global_size[3];
  uint64_t global_offset[3];
  uint64_t enqueued_local_size[3]; // as enqueued; edge work-groups of a non-uniform range are smaller
  uint64_t num_groups[3];
  uint32_t work_dim; // 1, 2 or 3
  uint32_t reserved;
  const std::byte *arguments; // packed kernel arguments, see ArgumentBlock below
  const Services *services;
  std::byte *variables; // of the program: its program scope variables, at the offsets that the frontend gave them
};

// Of local memory, scratch memory, packed arguments and every allocation: that of the largest OpenCL type, long16.
inline constexpr size_t kMemoryAlignment = 128;

// Of a work-group whose sub-groups all wait in loops for what others write (CompiledKernel::yields). Its state is in
// the memory of the call that began it, and the next call for it, with the same arguments, goes on.
struct Suspension {
  uint64_t waits;     // not 0: the next call goes on. Set when a call returns before the work-group is done
  uint64_t moved;     // whether a sub-group got on during the call: to its end, to a barrier or out of a loop
  uint64_t sub_group; // one of those that wait, if not
  uint64_t rounds;    // in all calls so far; in a round each of the sub-groups that wait goes on
  const char *place;  // the loop in which `sub_group` waits: "file:line", or empty
};

// The memory of a thread that runs work-groups.
struct WorkerMemory {
  std::byte
      *local; // __local memory of the running work-group, aligned to kMemoryAlignment, contents undefined at entry
  std::byte *scratch; // private memory and suspended sub-groups, aligned likewise
  // No other memory begins directly behind either of them, so a pointer to the end can be attributed, too.
  uint64_t local_bytes, scratch_bytes;
  Suspension *suspension = nullptr; // of the one work-group of a call; null: calls return when all is done
};

// Runs the work-groups (x, y, z) for x in [x_begin, x_end), all with the same local size.
// `local_size` is the size of these work-groups; it equals enqueued_local_size except at the edges of a
// non-uniform NDRange. A function specialized for a local size ignores it.
using WorkGroupFunction = void (*)(const LaunchInfo *launch, const WorkerMemory *worker, const uint64_t *local_size,
                                   uint64_t x_begin, uint64_t x_end, uint64_t y, uint64_t z);

// Packed kernel arguments: in order, each at the next multiple of its alignment, with its size:
//   value            size and alignment of its OpenCL type (a 3-component vector has the size of 4)
//   global, constant 8 bytes: the address
//   local            8 bytes: offset in bytes from WorkerMemory::local
//   image            8 bytes: address of the image descriptor;  sampler: 8 bytes, the sampler value in the low 32 bits
inline constexpr size_t align_up(size_t offset, size_t alignment) {
  return (offset + alignment - 1) / alignment * alignment;
}

} // namespace lanecl::abi
