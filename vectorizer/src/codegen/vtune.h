// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Reveals VTune about loaded code, by Intel's JIT Profiling API (jitprofiling.h of github.com/intel/ittapi). VTune
// names the library to call, its collector, to programs that it starts.
#pragma once

#include "llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h"

namespace lanecl::vectorizer {

// Creates a plugin for layers whose code VTune should know about. `collector` is the path of the library.
llvm::Expected<std::shared_ptr<llvm::orc::ObjectLinkingLayer::Plugin>> createVTunePlugin(const std::string &collector);

} // namespace lanecl::vectorizer
