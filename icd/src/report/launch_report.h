// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Which code the kernels of this process have been launched with, for `lanecl report`: where LANECL_REPORT names a
// folder, this process leaves a file there with a line for each, in the form of icd/kernel_report.h.
#pragma once

#include "scheduler/scheduler.h"
#include "vectorizer/vectorizer.h"

#include <cstdint>
#include <memory>
#include <string>

namespace lanecl::icd {

bool areLaunchesReported();

// Code that was made with remarks, before it is launched.
void noteCode(const std::string &kernel, const std::string &options, const vectorizer::LaunchClass &launch,
              const vectorizer::CompileOutput &output, const vectorizer::TargetDescription &target);
// A launch of so many work-groups, whose times are in `history`. A command of a command buffer is launched when it is
// recorded, and only then.
void noteLaunch(const vectorizer::CompiledKernel &code, const std::shared_ptr<scheduler::LaunchHistory> &history,
                uint64_t groups);

} // namespace lanecl::icd
