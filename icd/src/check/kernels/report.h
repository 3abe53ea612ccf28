// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Reports rules that a running kernel has broken.
#pragma once

#include "scheduler/running_groups.h"
#include "vectorizer/contract/check_site.h"

#include "faults/launch_facts.h"

#include <functional>
#include <string>

namespace lanecl::icd {

// The lanes of one sub-group that have broken a rule together.
struct Broken {
  uint64_t lanes;
  uint32_t sub_group;
  uint64_t group_x;
};

// Describes an address by the memory that it belongs to, such as "8 bytes past the end of a buffer (256 bytes)".
std::string whereIs(const LaunchFacts &facts, const scheduler::RunningGroups &groups, uint64_t address);

// A place in generated code that a rule applies to. In a function that was not inlined, the place depends on the call.
struct CheckPlace {
  const abi::CheckSite &site;
  const abi::CheckCall *call = nullptr;     // null: the place is in the kernel
  const abi::CheckObject *object = nullptr; // the memory that the caller has passed; null: the memory that `site` names

  // Returns `site` with the memory of `object`, if there is one.
  abi::CheckSite siteWithMemory() const;
};

// Adds a finding and stops the debugger if it is new. `what` returns the message, and is called only if the place is
// new. `other` is the access that races with this one, or null.
void report(const abi::CheckSite &site, const scheduler::RunningGroups &groups, const Broken &by,
            const std::function<std::string()> &what, const abi::CheckSite *other = nullptr,
            const abi::CheckCall *call = nullptr);

} // namespace lanecl::icd
