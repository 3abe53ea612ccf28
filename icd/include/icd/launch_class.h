// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Decides what LaneCL may choose by itself for a launch, because no work-item of the kernel can observe the choice: the
// shape of work-groups and the number of lanes. Example: a kernel that asks for nothing but its global id runs the same
// with any local size. Debuggers and checks name work-groups and sub-groups as the program launched them, so nothing is
// free in code made for those.
#pragma once

#include "frontend/frontend.h"
#include "vectorizer/vectorizer.h"

namespace lanecl::icd {

// Whether kernels are being checked but this one has nothing to check.
bool isUnchecked(const frontend::KernelInfo &kernel);
// Whether the kernel is debugged or checked.
bool isLookedInto(const frontend::Module &module, const frontend::KernelInfo &kernel);

// Whether LaneCL may choose how work-items are put together in work-groups; see freeLocalSize().
bool hasFreeWorkGroups(const frontend::Module &module, const frontend::KernelInfo &kernel,
                       const vectorizer::KernelTraits &traits);

// Whether LaneCL may choose how many lanes run together; see LaunchClass::free_width. `forced` is the width that the
// user asks for, or 0. False for kernels that take long to compile, which are not tried with several widths.
bool hasFreeWidth(const frontend::Module &module, const frontend::KernelInfo &kernel,
                  const vectorizer::KernelTraits &traits, unsigned forced);
// Whether a checked kernel would have a free width if it were not checked.
bool hasFreeWidthUnchecked(const frontend::Module &module, const frontend::KernelInfo &kernel,
                           const vectorizer::KernelTraits &traits, unsigned forced);

// Whether the work-items of a kernel with free work-groups run one at a time instead of in lanes. They do so if the
// kernel's own vectors fill the registers, or if these are wide and the program's local size has one work-item. False
// for kernels that take long to compile.
bool runsAlone(const frontend::KernelInfo &kernel, const vectorizer::KernelTraits &traits,
               const std::array<uint64_t, 3> &local_size);

} // namespace lanecl::icd
