// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Reports rules that the host program has broken.
#pragma once

#include "check/findings/findings.h"

namespace lanecl::icd {

// Adds a finding for the rule of that name. Calls with different values of `function` are different findings, since the
// host program has no source places; `what` is the message.
void reportHost(Findings &findings, const char *rule, const std::string &function, const std::string &what);

} // namespace lanecl::icd
