// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Finds out what a kernel and the functions that it may call use.
#pragma once

#include <cstdint>

namespace llvm {
class Function;
}

namespace lanecl::frontend {

// Sizes are in bytes.
struct KernelUse {
  uint64_t local_bytes = 0;   // __local variables, each aligned
  uint64_t private_bytes = 0; // private variables with arrays; scalars and vectors live in registers
  // Asks for the sub-group's number in the work-group, or for the number of sub-groups.
  bool queries_sub_groups = false;
  bool sees_sub_groups = false;  // may find out how wide sub-groups are
  unsigned widest_vector = 1;    // components of the widest vector
  bool sees_work_groups = false; // may find out how work-items are grouped into work-groups
};

KernelUse findUse(const llvm::Function &kernel);

} // namespace lanecl::frontend
