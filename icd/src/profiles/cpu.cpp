// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "profiles/processor_profile.h"

namespace lanecl::icd {

constinit const Profile kCpu = [] {
  Profile cpu = processorProfile();
  cpu.name = "cpu";
  cpu.summary = "this processor (default)";
  return cpu;
}();

} // namespace lanecl::icd
