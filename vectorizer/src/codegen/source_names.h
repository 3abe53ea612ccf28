// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Names for profilers: kept functions are called as in the source, all of their lanes functions alike.
#pragma once

#include "llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h"

namespace lanecl::vectorizer {

// For every layer that a profiler's plugin is added to, before that plugin: it renames the symbols of loaded code.
std::shared_ptr<llvm::orc::ObjectLinkingLayer::Plugin> createSourceNamesPlugin();

} // namespace lanecl::vectorizer
