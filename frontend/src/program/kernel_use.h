// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What a kernel and the functions that it may call use.
#pragma once

#include <cstdint>

namespace llvm {
class Function;
}

namespace lanecl::frontend {

struct KernelUse {
  uint64_t local_bytes = 0;        // __local variables
  uint64_t private_bytes = 0;      // private arrays; scalars and vectors live in registers
  bool queries_sub_groups = false; // the sub-group's number in the work-group or how many there are
  bool sees_sub_groups = false;    // may find out how wide sub-groups are
  unsigned widest_vector = 1;      // components
  bool sees_work_groups = false;   // may find out how work-items are put together in work-groups
};

KernelUse findUse(const llvm::Function &kernel);

} // namespace lanecl::frontend
