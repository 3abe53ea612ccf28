// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Instrumented kernels: what they call. No LLVM in this header.
#pragma once

#include "vectorizer/contract/check_site.h"

namespace lanecl::vectorizer {

// Called by kernels, on the threads that run them.
struct CheckRuntime {
  // The memory that a kernel may access through a pointer into it, or through one to its end. The same for a whole call
  // of a work-group function. Where nothing is known, everything: 0 and the largest number.
  uint64_t (*begin)(const void *pointer);
  uint64_t (*end)(const void *pointer);
  // The lanes in the mask have broken a rule; called for each of them in turn. What `value` and `other` are depends on
  // the rule, see the passes.
  void (*found)(const abi::CheckSite *site, uint64_t lanes, uint32_t lane, uint32_t sub_group, uint64_t group_x,
                uint64_t value, uint64_t other);
};

struct Instrumentation {
  CheckRuntime runtime;
  bool memory = false, sub_groups = false; // which rules
};

// For the whole process, before the first kernel is compiled. Code of other instrumentations has other keys in the
// cache.
void instrument(const Instrumentation &how);
const Instrumentation *instrumentation(); // null: kernels are not instrumented

} // namespace lanecl::vectorizer
