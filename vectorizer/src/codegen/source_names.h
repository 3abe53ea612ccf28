// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Names for profilers: a kept function has its name in the source, and all of its lanes functions have the same one.
#pragma once

#include "llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h"

namespace lanecl::vectorizer {

// Creates a plugin that renames the symbols of loaded code. It must be added to each layer before a profiler's plugin.
std::shared_ptr<llvm::orc::ObjectLinkingLayer::Plugin> createSourceNamesPlugin();

} // namespace lanecl::vectorizer
