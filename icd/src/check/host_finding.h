// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What the host program has broken becomes a finding.
#pragma once

#include "check/findings.h"

namespace lanecl::icd {

// `function` tells findings apart.
void reportHost(Findings &findings, const char *rule, const std::string &function, const std::string &what);

} // namespace lanecl::icd
