// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Installs signal handlers that describe faults inside kernels on stderr. The fault then goes on to the program's own
// handler, or ends the process.
#pragma once

namespace lanecl::icd {

// Installs the handlers before the first launch; later calls do nothing. Handlers that the program has installed before
// are called after the description. Handlers that it installs later replace these, and nothing is described any more
// unless they call the handler that they have replaced.
void describeFaults();

} // namespace lanecl::icd
