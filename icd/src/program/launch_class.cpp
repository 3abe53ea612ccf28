// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Decides what the code of a kernel may change because no work-item can tell: the work-groups, the sub-group width, and
// whether work-items run one by one.

#include "icd/launch_class.h"

#include "vectorizer/check.h"

namespace lanecl::icd {

// Returns true if check mode is on but concerns nothing that this kernel does, so that its code is not instrumented.
bool isUnchecked(const frontend::KernelInfo &kernel) {
  const vectorizer::Instrumentation *const checks = vectorizer::instrumentation();
  return checks && !checks->concerns(kernel.sees_sub_groups, kernel.sees_work_groups);
}

// Returns true if the kernel is debugged or checked. Such a kernel keeps the work-groups and sub-groups that the
// program launched, because reports name them.
bool isLookedInto(const frontend::Module &module, const frontend::KernelInfo &kernel) {
  return module.debug || (vectorizer::instrumentation() && !isUnchecked(kernel));
}

bool hasFreeWorkGroups(const frontend::Module &module, const frontend::KernelInfo &kernel,
                       const vectorizer::KernelTraits &traits) {
  return !traits.waits && !kernel.sees_work_groups && module.optimize && !isLookedInto(module, kernel);
}

bool hasFreeWidthUnchecked(const frontend::Module &module, const frontend::KernelInfo &kernel,
                           const vectorizer::KernelTraits &traits, unsigned forced) {
  return !traits.waits && !traits.is_long && !kernel.sees_sub_groups && kernel.required_sub_group_size == 0 &&
         forced == 0 && module.optimize && !module.debug;
}

bool hasFreeWidth(const frontend::Module &module, const frontend::KernelInfo &kernel,
                  const vectorizer::KernelTraits &traits, unsigned forced) {
  return hasFreeWidthUnchecked(module, kernel, traits, forced) && !isLookedInto(module, kernel);
}

// A kernel whose own vectors fill a register runs one work-item at a time, without lanes.
bool runsAlone(const frontend::KernelInfo &kernel, const vectorizer::KernelTraits &traits,
               const std::array<uint64_t, 3> &local_size) {
  constexpr unsigned kFullRegister = 16, kWide = 8; // components
  const bool one_by_one = local_size == std::array<uint64_t, 3>{1, 1, 1};
  return !traits.is_long && kernel.widest_vector >= (one_by_one ? kWide : kFullRegister);
}

} // namespace lanecl::icd
