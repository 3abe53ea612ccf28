// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The checks of the host program's API calls: failed calls, releases of objects that it has no reference to, leaked
// objects and warnings of builds.
#pragma once

#include "check/findings/findings.h"

namespace lanecl::icd {

// Starts the checks of the group `api`. `findings` must live until the process ends.
void startApiChecks(Findings &findings);

// Reports a failed call, for the group `failures`. Calls from different places of the program are different findings.
struct FailedCall;
void reportFailure(const FailedCall &call, Findings &findings);

// Reports the warnings in the log of a successful build. `texts` are the sources of the program. Does nothing unless
// startApiChecks() was called.
void checkBuildLog(const ProgramTexts *texts, const std::string &log);

} // namespace lanecl::icd
