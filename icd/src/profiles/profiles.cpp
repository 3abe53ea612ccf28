// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The list of all profiles, and what follows from their values.
#include "profiles/profiles.h"

#include <algorithm>

#include "vectorizer/contract/width.h"

namespace lanecl::icd {
namespace {

constexpr const DeviceProfile *kProfiles[] = {&kCpu, &kGen9, &kGen11, &kTgl, &kDg2, &kMtl, &kBmg, &kPvc, &kGpu};

} // namespace

std::span<const DeviceProfile *const> profiles() {
  return kProfiles;
}

const DeviceProfile *findProfile(std::string_view name) {
  for (const DeviceProfile *known : kProfiles)
    if (known->name == name)
      return known;
  return nullptr;
}

std::string profileNames() {
  std::string result;
  for (const DeviceProfile *known : kProfiles)
    result += (result.empty() ? "" : ", ") + std::string(known->name);
  return result;
}

bool isTooLargeWorkGroup(const DeviceProfile &profile, const std::array<uint64_t, 3> &size) {
  const size_t most = profile.max_work_group_size;
  // The sizes are multiplied only if each of them is small, so the product cannot overflow.
  return std::ranges::any_of(size, [&](uint64_t items) { return items > most; }) || size[0] * size[1] * size[2] > most;
}

std::vector<unsigned> subGroupSizes(const DeviceProfile &profile) {
  std::vector<unsigned> result;
  for (unsigned size : vectorizer::kSubGroupSizes)
    if (size >= profile.narrowest_sub_group)
      result.push_back(size);
  return result;
}

} // namespace lanecl::icd
