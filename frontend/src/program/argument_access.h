// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Finds out what a kernel does with the memory that a pointer argument points to.
#pragma once

namespace llvm {
class Argument;
}

namespace lanecl::frontend {

// The accesses that instructions and calls of the kernel make. Whether any work-item ever executes them is not known.
// Accesses are missed if the pointer is made from an integer, stored anywhere but in a private variable (which may be
// an array or a structure), or passed to an unknown function.
struct ArgumentAccess {
  bool reads = false, writes = false;
  bool updates = false; // by atomic operations, and by atomic loads and stores

  ArgumentAccess &operator|=(const ArgumentAccess &other) {
    reads |= other.reads;
    writes |= other.writes;
    updates |= other.updates;
    return *this;
  }
};

// Follows the pointer through casts, offsets, private variables, and calls of other functions with their results.
ArgumentAccess findAccess(const llvm::Argument &argument);

} // namespace lanecl::frontend
