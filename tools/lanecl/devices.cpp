// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `lanecl devices`, and the check of names for `lanecl --device`. This file is part of the device's library, which has
// the profiles.
#include "commands.h"

#include "icd/capabilities.h"
#include "icd/profile.h"

#include <fmt/core.h>

#include <stdexcept>

namespace lanecl::tool {
namespace {

using icd::DeviceProfile;

std::string subGroups(const DeviceProfile &profile) {
  std::string result;
  for (unsigned size : icd::subGroupSizes(profile))
    result += (result.empty() ? "" : ",") + std::to_string(size);
  return result;
}

std::string has(const DeviceProfile &profile, const char *what) {
  return icd::offers(profile, what) ? "yes" : "-";
}

// Returns the sub-group sizes whose matrix multiply-accumulate functions the profile has, or "-".
std::string matrices(const DeviceProfile &profile) {
  if (!icd::offers(profile, "cl_intel_subgroup_matrix_multiply_accumulate"))
    return "-";
  return profile.matrix_sub_group == 0 ? "8,16" : std::to_string(profile.matrix_sub_group);
}

std::string ipVersion(const DeviceProfile &profile) {
  return profile.gpu.ip_version == 0 ? "-" : fmt::format("0x{:08x}", profile.gpu.ip_version);
}

void row(const auto &...cells) {
  fmt::print("{:<6} {:<11} {:>5}  {:<10} {:>5} {:>8}  {:<4}  {:<6}  {:<6}  {:<6}  {}\n", cells...);
}

} // namespace
} // namespace lanecl::tool

int laneclShowDevices() {
  using namespace lanecl;
  using namespace lanecl::tool;
  row("Name", "IP version", "Units", "Sub-groups", "Group", "Local", "fp64", "Images", "Matrix", "Blocks",
      "Stands for");
  for (const DeviceProfile *profile : icd::profiles())
    row(profile->name, ipVersion(*profile), profile->compute_units == 0 ? "-" : std::to_string(profile->compute_units),
        subGroups(*profile), profile->max_work_group_size, fmt::format("{} KiB", profile->local_bytes >> 10),
        has(*profile, "cl_khr_fp64"), has(*profile, "__opencl_c_images"), matrices(*profile),
        has(*profile, "cl_intel_subgroup_2d_block_io"), profile->summary);
  return 0;
}

void laneclCheckDevice(const std::string &name) {
  if (!lanecl::icd::findProfile(name))
    throw std::runtime_error(fmt::format("unknown device '{}'; the devices are {}", name, lanecl::icd::profileNames()));
}
