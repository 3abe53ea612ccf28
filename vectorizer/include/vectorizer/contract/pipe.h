// What kernels see of pipes, shared by the host, which makes them, and the built-in library, which moves packets: the
// declarations are both C++ and OpenCL C.
#pragma once

#ifdef __cplusplus
namespace lanecl::abi {
#endif

// How far the writers or the readers of a pipe have come, in packets since it was made. Written with atomic operations.
struct PipeSide {
  unsigned long reserved;   // taken by somebody
  unsigned long committed;  // given back by those who took them, in any order
  unsigned long published;  // all before have been given back, so that they are there for the other side
  unsigned long unused[13]; // a cache line of its own, and its neighbour
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
