// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Records the code that this process launches kernels with, for `lanecl report`. If LANECL_REPORT names a folder, this
// process leaves a file PID.kernels there, with one line for each piece of code in the JSON of icd/kernel_report.h.
#pragma once

#include "scheduler/scheduler.h"
#include "vectorizer/vectorizer.h"

#include <cstdint>
#include <memory>
#include <string>

namespace lanecl::icd {

// Whether LANECL_REPORT names a folder.
bool areLaunchesReported();

// Records code that was made with remarks, before its first launch.
void noteCode(const std::string &kernel, const std::string &options, const vectorizer::LaunchClass &launch,
              const vectorizer::CompileOutput &output, const vectorizer::TargetDescription &target);

// Counts a launch of `groups` work-groups, whose times are in `history`. A command of a command buffer is counted once,
// when it is recorded, however often the command buffer runs.
void noteLaunch(const vectorizer::CompiledKernel &code, const std::shared_ptr<scheduler::LaunchHistory> &history,
                uint64_t groups);

} // namespace lanecl::icd
