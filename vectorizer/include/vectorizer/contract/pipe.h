// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The representation of pipes in kernels (OpenCL C 3.0, section 6.15.17). The host creates pipes and the built-in
// library moves packets, so the declarations are both C++ and OpenCL C.
#pragma once

#ifdef __cplusplus
namespace lanecl::abi {
#endif

// The progress of one side of a pipe, its writers or its readers. Each number counts packets since the pipe was
// created, and is updated by atomic operations.
struct PipeSide {
  unsigned long reserved;   // packets in reservations
  unsigned long committed;  // packets whose reservations have been committed, in any order
  unsigned long published;  // packets that are committed, as are all packets before them: the other side may use them
  unsigned long unused[13]; // fills two cache lines, which processors fetch together
};

// A pipe. A kernel's pipe argument is its address. The packets follow it in memory, in a ring whose number of slots is
// a power of two.
struct Pipe {
  struct PipeSide writers, readers;
  unsigned long packet_bytes;
  unsigned long max_packets;
  unsigned long slot_mask; // the number of slots of the ring, minus 1
  unsigned long unused[13];
};

#ifdef __cplusplus
static_assert(sizeof(Pipe) == 3 * 128); // so the first packet is aligned for every type
} // namespace lanecl::abi
#endif
