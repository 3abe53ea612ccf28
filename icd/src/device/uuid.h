// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Universally unique identifiers that are made from names, version 5 of RFC 9562.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace lanecl::icd {

using Uuid = std::array<uint8_t, 16>;

Uuid uuidOf(const Uuid &name_space, std::string_view name);

// Of the processor in this machine, the same for every process and version; of the driver of this version.
const Uuid &deviceUuid();
const Uuid &driverUuid();

} // namespace lanecl::icd
