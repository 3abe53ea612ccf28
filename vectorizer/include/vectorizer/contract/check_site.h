// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What instrumented code says of a place where a rule can be broken.
#pragma once

#include <cstdint>

namespace lanecl::abi {

enum class CheckRule : uint32_t {
  ReadOutOfBounds,
  WriteOutOfBounds,
  WholeSubGroup,   // the function is not called by all work-items of the sub-group
  FullSubGroup,    // the sub-group has fewer work-items than its size
  UniformArgument, // the argument differs between work-items
  BlockAlignment,  // the pointer is not a multiple of what the function asks for
  LaneOutOfRange,  // there is no such lane
  LaneNotActive,   // the value of a lane that does not call the function
  Race,            // another work-item accesses the same memory, one of them writes
  SameValueRace,   // both write the same value
  WholeWorkGroup,  // the function is not called by all work-items of the work-group
  DivisionByZero,  // of integers
  DivisionOverflow,
  ShiftBeyondWidth,
  ConversionOutOfRange, // to an integer type, of a number that it does not have
  NanResult,            // and no operand is NaN
  UninitialisedRead,    // what nobody has written decides
  Misaligned,           // the pointer is no multiple of what its type asks for
  ReadOnlyMemory,       // a write of what the host has made for reading only
  WriteOnlyMemory,      // the reverse
  ImageRead,            // of coordinates that the image does not have
  ImageWrite,
  NoSuchDistance, // no lane has another one that far away
  ClusterSize,    // no constant, or no power of two up to the sub-group's size
  ImageBlock,     // the image cannot be accessed in blocks, or not there; see BlockDemand
  GroupArgument,  // an argument differs between the work-items of the work-group
  BlockSurface,   // the surface or the coordinate is none that the function has
};

// What a block function demands that does not hold; the report's second number.
enum class BlockDemand : uint64_t {
  ImageElement, // has 4 bytes at most
  ImagePitch,   // of an image made from a buffer is a multiple of 64 bytes
  ImageBegin,   // of such an image: a multiple of 32
  ImageColumn,  // the byte where a write begins is a multiple of 4
  SurfaceBegin,
  SurfaceWidth,
  SurfaceHeight,
  SurfacePitch,
  SurfaceColumn, // where the block begins
};

// Of ImageRead and ImageWrite: beside the extent, where the coordinate is not an element's but a byte's.
inline constexpr uint64_t kByteCoordinate = uint64_t(1) << 40;

// Of the operands of an operation whose result is NaN: there is no second one.
inline constexpr uint64_t kNoOperand = ~uint64_t(0);

// What an access that leaves its memory was meant for.
enum class CheckMemory : uint32_t { Unknown, LocalVariable, LocalArgument, PrivateVariable, Constant, ProgramVariable };

// What generated code tells of an access; not local: global. Of a conditional write each lane's value says whether it
// wrote, else it has only read.
inline constexpr uint32_t kLocalAccess = 1, kWriteAccess = 2, kAtomicAccess = 4, kKnownValue = 8, kVolatileAccess = 16,
                          kConditionalWrite = 32;

// The accesses that the lanes of a sub-group make together.
struct LaneAccesses {
  uint64_t lanes;            // which
  uint64_t begin;            // the address of lane 0,
  int64_t stride;            // and how far that of the next lane is;
  const uint64_t *addresses; // or, if not null, of all lanes
  const uint64_t *values;    // of all lanes, with kKnownValue
  uint64_t bytes;            // of each lane
  uint32_t kind, sub_group;
  uint64_t group_x;
};

// A constant of the generated code. Each line of `calls` is a function, the line where its name stands, and the place
// in it: "NAME LINE FILE:LINE\n".
struct CheckSite {
  CheckRule rule;
  uint32_t line, column; // 0: not known
  CheckMemory memory;
  const char *file;      // as the compiler names it
  const char *function;  // of OpenCL C, whose rule it is; or "read", "write"
  const char *calls;     // the function and those it was inlined into, the innermost first: see below
  const char *object;    // the name of the memory; empty: not known
  uint64_t object_bytes; // 0: the launch knows how long it is
};

// A constant of the generated code: memory that a kept function gets a pointer to, and that has a name.
struct CheckObject {
  CheckMemory memory;
  const char *name;
  uint64_t bytes; // 0: the launch knows
};

// A call of a function that stays a function, while it runs. `calls` is as in CheckSite, from the function that calls
// outwards.
struct CheckCall {
  const char *calls;
  const CheckCall *caller; // null: the function that calls is the kernel
};

} // namespace lanecl::abi
