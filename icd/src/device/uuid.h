// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Universally unique identifiers made from names, which are UUIDs of version 5 in RFC 9562.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace lanecl::icd {

using Uuid = std::array<uint8_t, 16>;

// Returns the identifier of `name` in a name space. Equal arguments give equal results.
Uuid uuidOf(const Uuid &name_space, std::string_view name);

// CL_DEVICE_UUID: identifies the processor in this machine, and is the same for every process and version of LaneCL.
// CL_DRIVER_UUID: identifies this version of LaneCL. Both are different for each GPU's profile.
const Uuid &deviceUuid();
const Uuid &driverUuid();

} // namespace lanecl::icd
