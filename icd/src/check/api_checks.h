// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Check mode looks at what the host program does, too.
#pragma once

#include "check/findings.h"

namespace lanecl::icd {

void startApiChecks(Findings &findings); // which live until the process ends

// Those of the group `failures`: each call that fails, by its place in the program.
struct FailedCall;
void reportFailure(const FailedCall &call, Findings &findings);

// The warnings in the log of a build that succeeded. `texts`: of the program. Does nothing unless the checks have been
// started.
void checkBuildLog(const ProgramTexts *texts, const std::string &log);

} // namespace lanecl::icd
