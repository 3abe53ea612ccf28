// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Chooses the profile and the forced sub-group size by the settings.
#include "icd/profile.h"
#include "icd/settings.h"
#include "settings/made_once.h"

#include <cstdio>

namespace lanecl::icd {
namespace {

// Returns the profile that LANECL_DEVICE names. If there is none, returns null after one message on stderr.
const DeviceProfile *const &chosenProfile() {
  static constinit MadeOnce<const DeviceProfile *> made;
  return made.get([] {
    const std::string &name = settings().device;
    const DeviceProfile *const found = findProfile(name);
    if (!found)
      std::fprintf(stderr, "LaneCL: unknown device %s; LANECL_DEVICE may be one of %s\n", name.c_str(),
                   profileNames().c_str());
    return found;
  });
}

} // namespace

const DeviceProfile &deviceProfile() {
  const DeviceProfile *const chosen = chosenProfile();
  return chosen ? *chosen : *profiles().front();
}

unsigned forcedSubGroupSize() {
  static constinit MadeOnce<unsigned> made;
  return made.get([] {
    const unsigned size = settings().sub_group_size;
    if (size == 0 || size >= deviceProfile().narrowest_sub_group)
      return size;
    std::fprintf(stderr, "LaneCL: LANECL_SUB_GROUP_SIZE=%u is ignored: device %s has no sub-groups of that size\n",
                 size, std::string(deviceProfile().name).c_str());
    return 0u;
  });
}

bool isKnownDevice() {
  return chosenProfile() != nullptr;
}

} // namespace lanecl::icd
