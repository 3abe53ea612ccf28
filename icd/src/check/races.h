// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Accesses that work-items of a launch make to the same bytes with nothing that orders them. See vectorizer/check.h.
#pragma once

#include "scheduler/scheduler.h"
#include "vectorizer/contract/check_site.h"

#include <memory>

namespace lanecl::icd {

bool startRaceChecks(); // false: there is no room in the address space

void lanesAccess(const abi::CheckSite *site, uint64_t lanes, uint64_t begin, int64_t stride, const uint64_t *addresses,
                 const uint64_t *values, uint64_t bytes, uint32_t kind, uint32_t sub_group, uint64_t group_x);
void lanesAccessInCall(const abi::CheckSite *site, uint64_t lanes, uint64_t begin, int64_t stride,
                       const uint64_t *addresses, const uint64_t *values, uint64_t bytes, uint32_t kind,
                       uint32_t sub_group, uint64_t group_x, const abi::CheckCall *call,
                       const abi::CheckObject *object);
void subGroupAtBarrier(uint64_t lanes, uint32_t sub_group, uint32_t of_work_group, uint32_t flags);
void groupSynchronizes();
void forgetGroupAccesses();                                  // at the end of a work-group
std::unique_ptr<scheduler::GroupRecord> makeGroupAccesses(); // of a work-group that may be suspended

} // namespace lanecl::icd
