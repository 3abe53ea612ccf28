// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Reveals perf about loaded code, in a file that `perf inject --jit` reads.
#pragma once

#include "llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h"

namespace lanecl::vectorizer {

// Creates a plugin for layers whose code perf should know about. One plugin per process writes the file, and serves all
// layers.
llvm::Expected<std::shared_ptr<llvm::orc::ObjectLinkingLayer::Plugin>>
createPerfPlugin(llvm::orc::ExecutionSession &session);

} // namespace lanecl::vectorizer
