// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Tells VTune of code that is loaded, through the collector that VTune names to programs which it starts: Intel's JIT
// Profiling API (jitprofiling.h of github.com/intel/ittapi).
#pragma once

#include "llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h"

namespace lanecl::vectorizer {

// For every layer whose code VTune should know. `collector`: the library's path.
llvm::Expected<std::shared_ptr<llvm::orc::ObjectLinkingLayer::Plugin>> createVTunePlugin(const std::string &collector);

} // namespace lanecl::vectorizer
