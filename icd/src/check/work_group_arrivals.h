// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Whether all sub-groups of a work-group reach the same barriers and work-group functions; see vectorizer/check.h.
#pragma once

#include "scheduler/scheduler.h"
#include "vectorizer/contract/check_site.h"

#include <memory>

namespace lanecl::icd {

void subGroupReached(const abi::CheckSite *site, uint64_t lanes, uint32_t sub_group, uint32_t sub_groups,
                     uint64_t group_x, uint64_t arguments);
void workGroupDone();
std::unique_ptr<scheduler::GroupRecord> makeArrivals(); // of a work-group that may be suspended

} // namespace lanecl::icd
