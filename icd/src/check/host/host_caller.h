// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Finds out which function of the host program is calling the API, for reports.
#pragma once

#include <string>

namespace lanecl::icd {

// Returns an address inside the innermost call instruction that belongs neither to this library nor to the OpenCL
// loader, or null if none is found. This is cheap enough for each command; describeCall() is for reports.
const void *hostCallAddress();
// Returns the function of such an address as "main in /path/program", or "/path/program+0x1234" if its name is not
// exported. Returns "" if nothing is known about the address.
std::string describeCall(const void *call);
// Returns describeCall(hostCallAddress()).
std::string hostCaller();

} // namespace lanecl::icd
