// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "icd/launch_class.h"

namespace lanecl::icd {

bool hasFreeWorkGroups(const frontend::Module &module, const frontend::KernelInfo &kernel) {
  return !kernel.sees_work_groups && module.optimize && !module.debug;
}

bool hasFreeWidth(const frontend::Module &module, const frontend::KernelInfo &kernel, unsigned forced) {
  return !kernel.sees_sub_groups && kernel.required_sub_group_size == 0 && forced == 0 && module.optimize &&
         !module.debug;
}

bool runsAlone(const frontend::KernelInfo &kernel) {
  constexpr unsigned kFullRegister = 16; // components
  return kernel.widest_vector >= kFullRegister;
}

} // namespace lanecl::icd
