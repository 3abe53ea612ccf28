// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The report of a kernel that was compiled with remarks.
#pragma once

#include "icd/kernel_report.h"
#include "vectorizer/vectorizer.h"

#include <string>

namespace lanecl::icd {

// `launch`: with the width and the row that were chosen, see chosenClass().
KernelReport describeCode(const std::string &kernel, const vectorizer::LaunchClass &launch,
                          const vectorizer::CompileOutput &output, const vectorizer::TargetDescription &target);

// The class of what was made for one that left the choice to the compiler.
vectorizer::LaunchClass chosenClass(vectorizer::LaunchClass asked, const vectorizer::CompiledKernel &kernel);

} // namespace lanecl::icd
