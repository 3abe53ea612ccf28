// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The representation of pipes in kernels. The host makes them and the built-in library moves packets, so the
// declarations are both C++ and OpenCL C.
#pragma once

#ifdef __cplusplus
namespace lanecl::abi {
#endif

// The progress of the writers or the readers of a pipe, in packets since it was made. Written with atomic operations.
struct PipeSide {
  unsigned long reserved;   // in reservations
  unsigned long committed;  // whose reservations were committed, in any order
  unsigned long published;  // committed, as all before them: available to the other side
  unsigned long unused[13]; // fills two cache lines, which processors fetch together
};

// A kernel's pipe argument is the address of this. Packets lie behind it in a ring of a power of two of them.
struct Pipe {
  struct PipeSide writers, readers;
  unsigned long packet_bytes;
  unsigned long max_packets;
  unsigned long slot_mask; // slots of the ring, less 1
  unsigned long unused[13];
};

#ifdef __cplusplus
static_assert(sizeof(Pipe) == 3 * 128); // packets begin aligned for every type
} // namespace lanecl::abi
#endif
