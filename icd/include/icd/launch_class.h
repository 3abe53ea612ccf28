// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What may be chosen anew for each launch, because no work-item of the kernel can tell. Debuggers show work-groups and
// sub-groups as launched, so nothing is free in code made for them.
#pragma once

#include "frontend/frontend.h"
#include "vectorizer/vectorizer.h"

namespace lanecl::icd {

// Whether there is nothing to be checked in it, although kernels are checked.
bool isUnchecked(const frontend::KernelInfo &kernel);
// Whether it is debugged or checked.
bool isLookedInto(const frontend::Module &module, const frontend::KernelInfo &kernel);

// How work-items are put together in work-groups: see freeLocalSize().
bool hasFreeWorkGroups(const frontend::Module &module, const frontend::KernelInfo &kernel,
                       const vectorizer::KernelOutlook &outlook);

// How many lanes run together: see LaunchClass::free_width. `forced` is the width that the user asks for, or 0. A
// kernel that compiles long is not tried with several.
bool hasFreeWidth(const frontend::Module &module, const frontend::KernelInfo &kernel,
                  const vectorizer::KernelOutlook &outlook, unsigned forced);
// The same where it is checked: whether it would have a free width if it were not.
bool hasFreeWidthUnchecked(const frontend::Module &module, const frontend::KernelInfo &kernel,
                           const vectorizer::KernelOutlook &outlook, unsigned forced);

// Whether work-items run one at a time where their work-groups are free: their vectors fill registers, or are wide and
// the program launches them with this local size one by one. A kernel that compiles long has no code for that.
bool runsAlone(const frontend::KernelInfo &kernel, const vectorizer::KernelOutlook &outlook,
               const std::array<uint64_t, 3> &local_size);

} // namespace lanecl::icd
