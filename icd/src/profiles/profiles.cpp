// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "profiles/profiles.h"

#include "vectorizer/contract/width.h"

namespace lanecl::icd {
namespace {

constexpr const Profile *kProfiles[] = {&kCpu, &kGen9, &kGen11, &kTgl, &kDg2, &kMtl, &kBmg, &kPvc, &kGpu};

} // namespace

std::span<const Profile *const> profiles() {
  return kProfiles;
}

const Profile *findProfile(std::string_view name) {
  for (const Profile *known : kProfiles)
    if (known->name == name)
      return known;
  return nullptr;
}

std::string profileNames() {
  std::string result;
  for (const Profile *known : kProfiles)
    result += (result.empty() ? "" : ", ") + std::string(known->name);
  return result;
}

std::vector<unsigned> subGroupSizes(const Profile &profile) {
  std::vector<unsigned> result;
  for (unsigned size : vectorizer::kSubGroupSizes)
    if (size >= profile.narrowest_sub_group)
      result.push_back(size);
  return result;
}

} // namespace lanecl::icd
