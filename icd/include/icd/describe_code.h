// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Makes the report of a kernel that was compiled with remarks.
#pragma once

#include "icd/kernel_report.h"
#include "vectorizer/vectorizer.h"

#include <string>

namespace lanecl::icd {

// Returns the report of `kernel`. `launch` is the class with the width and the row that were chosen, see chosenClass().
KernelReport describeCode(const std::string &kernel, const vectorizer::LaunchClass &launch,
                          const vectorizer::CompileOutput &output, const vectorizer::TargetDescription &target);

// Returns the launch class of the compiled code: `asked`, with the width and the row that the compiler chose where
// `asked` leaves them to it.
vectorizer::LaunchClass chosenClass(vectorizer::LaunchClass asked, const vectorizer::CompiledKernel &kernel);

} // namespace lanecl::icd
