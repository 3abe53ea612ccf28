// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Checks that all sub-groups of a work-group reach the same barriers and work-group functions with the same arguments.
// Instrumented kernels call these functions; see CheckRuntime in vectorizer/check.h.
#pragma once

#include "scheduler/scheduler.h"
#include "vectorizer/contract/check_site.h"

#include <memory>

namespace lanecl::icd {

// Records that a sub-group reaches a barrier or a work-group function. `arguments` is one number made of the arguments.
void subGroupReached(const abi::CheckSite *site, uint64_t lanes, uint32_t sub_group, uint32_t sub_groups,
                     uint64_t group_x, uint64_t arguments);
// Ends the records of the running work-group, and reports a call that some of its sub-groups have not reached.
void workGroupDone();
// Makes the records of a work-group that can be suspended while its thread runs other work-groups.
std::unique_ptr<scheduler::GroupRecord> makeArrivals();

} // namespace lanecl::icd
