// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// How instrumented code describes a place in the program where a rule can be broken, the rules themselves, and the
// memory accesses that are recorded to find data races.
#pragma once

#include <cstdint>

namespace lanecl::abi {

// The rule that a report is about. CheckRuntime::found gets two numbers, `value` and `other`, whose meaning depends on
// it.
enum class CheckRule : uint32_t {
#define CHECK_RULE(Enumerator, id) Enumerator,
#include "vectorizer/contract/check_rules.def"
};

// A demand of a block function that is not fulfilled. It is the second number of a report.
enum class BlockDemand : uint64_t {
  ImageElement,  // an image's element has at most 4 bytes
  ImagePitch,    // the pitch of an image made from a buffer is a multiple of 64 bytes
  ImageBegin,    // the address of such an image is a multiple of 32 bytes
  ImageColumn,   // a write starts at a multiple of 4 bytes
  SurfaceBegin,  // the address of the surface of a two-dimensional block is a multiple of 64 bytes
  SurfaceWidth,  // its width is 64 to 2^24 bytes, and a multiple of 4 bytes and of an element
  SurfaceHeight, // its height is 1 to 2^24 rows
  SurfacePitch,  // its pitch is at least the width, and a multiple of 16 bytes
  SurfaceColumn, // the block starts at a multiple of 4 bytes
};

// A flag beside the extent in reports of ImageRead and ImageWrite: the coordinate counts bytes instead of elements.
inline constexpr uint64_t kByteCoordinate = uint64_t(1) << 40;

// Stands for the second operand in reports of NanResult if the operation has only one.
inline constexpr uint64_t kNoOperand = ~uint64_t(0);

// The kind of memory that an out-of-bounds access was meant for.
enum class CheckMemory : uint32_t { Unknown, LocalVariable, LocalArgument, PrivateVariable, Constant, ProgramVariable };

// The kind of an access: a set of these bits. Without kLocalAccess it is an access of global memory. For a conditional
// write, the value of a lane says whether the lane has written; otherwise it has only read.
inline constexpr uint32_t kLocalAccess = 1, kWriteAccess = 2, kAtomicAccess = 4, kKnownValue = 8, kVolatileAccess = 16,
                          kConditionalWrite = 32;

// Accesses that the lanes of a sub-group make together.
struct LaneAccesses {
  uint64_t lanes;            // mask of the lanes that access memory
  uint64_t begin;            // address of lane 0
  int64_t stride;            // distance from the address of a lane to that of the next one, in bytes
  const uint64_t *addresses; // addresses of all lanes; null: they follow from `begin` and `stride`
  const uint64_t *values;    // values of all lanes, if `kind` has kKnownValue
  uint64_t bytes;            // size of each lane's access, in bytes
  uint32_t kind, sub_group;  // kind: a set of kLocalAccess and the others
  uint64_t group_x;
};

// A place in the program. It is a constant of the generated code. Each line of `calls` is a function, the line where
// the function's name stands, and the place in it: "NAME LINE FILE:LINE" and a line feed.
struct CheckSite {
  CheckRule rule;
  uint32_t line, column; // 0: unknown
  CheckMemory memory;
  const char *file;      // the file, as the compiler names it
  const char *function;  // the OpenCL C function whose rule it is, or "read" or "write"
  const char *calls;     // the function that contains the place and those that it was inlined into, the innermost first
  const char *object;    // the name of the memory; empty: unknown
  uint64_t object_bytes; // the size of the memory; 0: only the launch knows it
};

// Named memory that a kept function gets a pointer to. It is a constant of the generated code.
struct CheckObject {
  CheckMemory memory;
  const char *name;
  uint64_t bytes; // 0: only the launch knows the size
};

// A running call of a kept function. `calls` has the same form as in CheckSite and starts with the calling function.
struct CheckCall {
  const char *calls;
  const CheckCall *caller; // null: the caller is the kernel
};

} // namespace lanecl::abi
