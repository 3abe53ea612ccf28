// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What a running kernel has broken becomes a finding of this process.
#pragma once

#include "scheduler/running_groups.h"
#include "vectorizer/contract/check_site.h"

#include "faults/launch_subject.h"

#include <functional>
#include <string>

namespace lanecl::icd {

// Who has broken a rule together.
struct Broken {
  uint64_t lanes;
  uint32_t sub_group;
  uint64_t group_x;
};

std::string whereIs(const LaunchSubject &subject, const scheduler::RunningGroups &groups, uint64_t address);

// Where generated code comes to a rule: a place, and in a function that was called, the call.
struct CheckPlace {
  const abi::CheckSite &site;
  const abi::CheckCall *call = nullptr;     // null: the place is in the kernel
  const abi::CheckObject *object = nullptr; // the memory that the function got; null: what the site says

  abi::CheckSite siteWithMemory() const;
};

// `what` describes it where it is new. `other`: the access that it does not go together with; null: there is none.
void report(const abi::CheckSite &site, const scheduler::RunningGroups &groups, const Broken &by,
            const std::function<std::string()> &what, const abi::CheckSite *other = nullptr,
            const abi::CheckCall *call = nullptr);

} // namespace lanecl::icd
