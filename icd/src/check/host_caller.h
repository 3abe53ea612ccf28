// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Which function of the host program is calling.
#pragma once

#include <string>

namespace lanecl::icd {

// The innermost call that belongs neither to this library nor to the OpenCL loader; null: not known.
const void *hostCallAddress();
// As "main in /path/program"; empty: not known.
std::string describeCall(const void *call);
std::string hostCaller();

} // namespace lanecl::icd
