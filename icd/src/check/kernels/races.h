// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Finds data races: work-items of one launch access the same bytes, at least one of them writes, and neither a barrier
// nor atomicity orders the accesses. Instrumented kernels call these functions; see CheckRuntime in vectorizer/check.h.
#pragma once

#include "scheduler/scheduler.h"
#include "vectorizer/contract/check_site.h"

#include <memory>

namespace lanecl::icd {

// Reserves the address space for the records. Returns false, with a message on stderr, if `ulimit -v` forbids it.
bool startRaceChecks();

// Record that the lanes of a sub-group access memory together, and report the races. The parameters are the members of
// abi::LaneAccesses; lanesAccessInCall() is for a function that was not inlined.
void lanesAccess(const abi::CheckSite *site, uint64_t lanes, uint64_t begin, int64_t stride, const uint64_t *addresses,
                 const uint64_t *values, uint64_t bytes, uint32_t kind, uint32_t sub_group, uint64_t group_x);
void lanesAccessInCall(const abi::CheckSite *site, uint64_t lanes, uint64_t begin, int64_t stride,
                       const uint64_t *addresses, const uint64_t *values, uint64_t bytes, uint32_t kind,
                       uint32_t sub_group, uint64_t group_x, const abi::CheckCall *call,
                       const abi::CheckObject *object);
// Records that a sub-group passes a barrier of the work-group or of itself. `flags` are the CLK_…_MEM_FENCE flags.
void subGroupAtBarrier(uint64_t lanes, uint32_t sub_group, uint32_t of_work_group, uint32_t flags);
// Records that a fence or an atomic operation orders memory in the running work-group, which is not modeled: no races
// of this work-group are reported from now on.
void groupSynchronizes();
// Ends the records of the running work-group.
void forgetGroupAccesses();
// Makes the records of a work-group that can be suspended while its thread runs other work-groups.
std::unique_ptr<scheduler::GroupRecord> makeGroupAccesses();

} // namespace lanecl::icd
