// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Instrumented kernels: what they call. No LLVM in this header.
#pragma once

#include "vectorizer/contract/check_site.h"

#include <cstdint>

namespace lanecl::vectorizer {

// Called by kernels, on the threads that run them.
struct CheckRuntime {
  // The memory that a kernel may read, or write, through a pointer into it, or through one to its end. The same for a
  // whole call of a work-group function. Where nothing is known, everything: 0 and the largest number.
  uint64_t (*begin)(const void *pointer);
  uint64_t (*read_end)(const void *pointer);
  uint64_t (*write_end)(const void *pointer);
  // The lanes in the mask have broken a rule; called for each of them in turn. What `value` and `other` are depends on
  // the rule, see the passes.
  void (*found)(const abi::CheckSite *site, uint64_t lanes, uint32_t lane, uint32_t sub_group, uint64_t group_x,
                uint64_t value, uint64_t other);
  // The same in a function that was called. `object`: the memory that `value` and `other` are about, if the site does
  // not say so; null: it has no name.
  void (*found_in_call)(const abi::CheckSite *site, uint64_t lanes, uint32_t lane, uint32_t sub_group, uint64_t group_x,
                        uint64_t value, uint64_t other, const abi::CheckCall *call, const abi::CheckObject *object);
  // A sub-group reaches what all sub-groups of its work-group have to reach, and with the same arguments, which are one
  // number here; and the work-group is at its end.
  void (*reached)(const abi::CheckSite *site, uint64_t lanes, uint32_t sub_group, uint32_t sub_groups, uint64_t group_x,
                  uint64_t arguments);
  void (*done)(uint64_t group_x);
  // A work-group begins: nobody has written its local memory.
  void (*begun)();
  // Each byte at an address has one at this address and the lower kShadowBits of its own, whose bits are set where
  // nobody has written the byte's.
  uint64_t (*shadow)();
  // Lanes are about to access memory, as the members of abi::LaneAccesses say in turn; a sub-group is at a barrier, of
  // its work-group or of itself; and a fence or an atomic operation orders memory in a way of its own. Called once for
  // all lanes, perhaps none.
  void (*accessed)(const abi::CheckSite *site, uint64_t lanes, uint64_t begin, int64_t stride,
                   const uint64_t *addresses, const uint64_t *values, uint64_t bytes, uint32_t kind, uint32_t sub_group,
                   uint64_t group_x);
  void (*accessed_in_call)(const abi::CheckSite *site, uint64_t lanes, uint64_t begin, int64_t stride,
                           const uint64_t *addresses, const uint64_t *values, uint64_t bytes, uint32_t kind,
                           uint32_t sub_group, uint64_t group_x, const abi::CheckCall *call,
                           const abi::CheckObject *object);
  void (*passed)(uint64_t lanes, uint32_t sub_group, uint32_t of_work_group, uint32_t flags);
  void (*synchronized)();
};

inline constexpr unsigned kShadowBits = 44;

// Of which memory accesses are looked at.
enum class Reach : unsigned char {
  Nothing,
  OwnMemory, // local and private memory; accesses through generic pointers whose memory is unknown are not checked
  Everything
};

struct Instrumentation {
  CheckRuntime runtime;
  // Which rules.
  bool memory = false, sub_groups = false, work_groups = false, arithmetic = false;
  Reach races = Reach::Nothing, initialisation = Reach::Nothing;
  // Kernels run at several sub-group sizes, which are to be theirs.
  bool widths = false;

  // Whether a kernel is to be instrumented, and runs in the work-groups and sub-groups that the program asks for. What
  // calls no function that is checked runs as ever.
  bool concerns(bool sees_sub_groups, bool sees_work_groups) const {
    const bool of_accesses = races != Reach::Nothing || initialisation != Reach::Nothing;
    const bool all = memory || of_accesses || arithmetic || widths || !(sub_groups || work_groups);
    return all || (sub_groups && sees_sub_groups) || (work_groups && sees_work_groups);
  }
};

// For the whole process, before the first kernel is compiled. Code of other instrumentations has other keys in the
// cache.
void instrument(const Instrumentation &how);
const Instrumentation *instrumentation(); // null: kernels are not instrumented

} // namespace lanecl::vectorizer
