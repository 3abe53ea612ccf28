// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Instrumentation of kernels for check mode: which rules are checked, and the functions that instrumented kernels call.
// This header includes no LLVM.
#pragma once

#include "vectorizer/contract/check_site.h"

#include <cstdint>

namespace lanecl::vectorizer {

// The functions that instrumented kernels call, on the threads that run them. All of them must be thread-safe. `lanes`
// is always a mask: bit l stands for lane l.
struct CheckRuntime {
  // begin, read_end, write_end: the bounds of the memory that a kernel may read or write through a pointer into this
  // memory or to its end. The bounds stay the same during a call of a work-group function. If nothing is known about
  // the pointer, they are 0 and the largest number.
  uint64_t (*begin)(const void *pointer);
  uint64_t (*read_end)(const void *pointer);
  uint64_t (*write_end)(const void *pointer);
  // Reports that the lanes in the mask have broken a rule. It is called once for each of them, whose number is `lane`.
  // The meaning of `value` and `other` depends on the rule; the pass that checks it describes them.
  void (*found)(const abi::CheckSite *site, uint64_t lanes, uint32_t lane, uint32_t sub_group, uint64_t group_x,
                uint64_t value, uint64_t other);
  // Reports the same from a kept function. `call` says how it was called. `object` is the memory that `value` and
  // `other` are about if the site does not name it; null if the memory has no name.
  void (*found_in_call)(const abi::CheckSite *site, uint64_t lanes, uint32_t lane, uint32_t sub_group, uint64_t group_x,
                        uint64_t value, uint64_t other, const abi::CheckCall *call, const abi::CheckObject *object);
  // reached: a sub-group is at a place that all sub-groups of its work-group have to reach with the same arguments;
  // `arguments` is one number that stands for them. done: the work-group has ended.
  void (*reached)(const abi::CheckSite *site, uint64_t lanes, uint32_t sub_group, uint32_t sub_groups, uint64_t group_x,
                  uint64_t arguments);
  void (*done)(uint64_t group_x);
  // A work-group starts, so its local memory is uninitialized.
  void (*begun)();
  // Returns the address of the shadow memory. The byte at address a has its shadow byte at shadow() + (a modulo
  // 2^kShadowBits). A bit of the shadow byte is set if the same bit of the byte is uninitialized.
  uint64_t (*shadow)();
  // record_access: lanes are about to access memory; the parameters are the members of abi::LaneAccesses, in order.
  // record_barrier: a sub-group is at a barrier of its work-group or, if `of_work_group` is 0, of the sub-group.
  // record_fence: a fence or an atomic operation orders memory. Each is called once for all lanes, and the mask may be
  // empty.
  void (*record_access)(const abi::CheckSite *site, uint64_t lanes, uint64_t begin, int64_t stride,
                        const uint64_t *addresses, const uint64_t *values, uint64_t bytes, uint32_t kind,
                        uint32_t sub_group, uint64_t group_x);
  void (*record_access_in_call)(const abi::CheckSite *site, uint64_t lanes, uint64_t begin, int64_t stride,
                                const uint64_t *addresses, const uint64_t *values, uint64_t bytes, uint32_t kind,
                                uint32_t sub_group, uint64_t group_x, const abi::CheckCall *call,
                                const abi::CheckObject *object);
  void (*record_barrier)(uint64_t lanes, uint32_t sub_group, uint32_t of_work_group, uint32_t flags);
  void (*record_fence)();
};

// The number of low address bits that select a byte of shadow memory.
inline constexpr unsigned kShadowBits = 44;

// The memory whose accesses are checked.
enum class Reach : unsigned char {
  Nothing,
  OwnMemory, // local and private memory; an access through a generic pointer is checked only if its memory is known
  Everything
};

// The rules that kernels are instrumented for.
struct Instrumentation {
  CheckRuntime runtime;
  // Rules that are checked as a whole: bounds, sub-group functions, work-group functions, arithmetic.
  bool memory = false, sub_groups = false, work_groups = false, arithmetic = false;
  // Data races and uninitialized values, each in this memory.
  Reach races = Reach::Nothing, initialization = Reach::Nothing;
  // Kernels are run at several sub-group sizes, which must not be changed by the vectorizer.
  bool widths = false;

  // Whether a kernel is instrumented and runs in exactly the work-groups and sub-groups that the program asks for. A
  // kernel that calls none of the checked functions is compiled as without check mode. `sees_sub_groups` and
  // `sees_work_groups`: the kernel calls such functions.
  bool concerns(bool sees_sub_groups, bool sees_work_groups) const {
    const bool of_accesses = races != Reach::Nothing || initialization != Reach::Nothing;
    const bool all = memory || of_accesses || arithmetic || widths || !(sub_groups || work_groups);
    return all || (sub_groups && sees_sub_groups) || (work_groups && sees_work_groups);
  }
};

// Chooses the instrumentation for the whole process. It must be called before the first kernel is compiled. The keys of
// the code cache depend on it.
void instrument(const Instrumentation &how);
const Instrumentation *instrumentation(); // null: kernels are not instrumented

} // namespace lanecl::vectorizer
