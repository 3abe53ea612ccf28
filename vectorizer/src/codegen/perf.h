// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Tells perf of code that is loaded: in a file that `perf inject --jit` reads.
#pragma once

#include "llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h"

namespace lanecl::vectorizer {

// For every layer whose code perf should know; one per process writes the file.
llvm::Expected<std::shared_ptr<llvm::orc::ObjectLinkingLayer::Plugin>>
createPerfPlugin(llvm::orc::ExecutionSession &session);

} // namespace lanecl::vectorizer
