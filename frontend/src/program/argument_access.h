// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What a kernel does with the memory that a pointer argument points to.
#pragma once

namespace llvm {
class Argument;
}

namespace lanecl::frontend {

// There is an instruction or a call that does it; whether a work-item gets there, nobody knows. What is done with a
// pointer that is computed, stored or handed to an unknown function is not found.
struct ArgumentAccess {
  bool reads = false, writes = false;
  bool updates = false; // by atomic operations

  ArgumentAccess &operator|=(const ArgumentAccess &other) {
    reads |= other.reads;
    writes |= other.writes;
    updates |= other.updates;
    return *this;
  }
};

// Follows the pointer into the functions that are called, through casts, offsets and variables.
ArgumentAccess findAccess(const llvm::Argument &argument);

} // namespace lanecl::frontend
