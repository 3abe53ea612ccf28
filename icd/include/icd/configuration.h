// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The settings as the vectorizer takes them; for the device and for the tools.
#pragma once

#include "icd/settings.h"
#include "vectorizer/vectorizer.h"

#include <string>

namespace lanecl::icd {

// Processor, instruction set and dump folder. The built-in library's path and the cache are the caller's. Settings that
// cannot be followed are ignored and reported on stderr, once.
const vectorizer::Config &vectorizerConfig();

// As vectorizerConfig(), from given settings; warnings are appended to `messages`.
vectorizer::Config vectorizerConfig(const Settings &settings, std::string &messages);

// What LANECL_DEBUG adds to the options of every program.
std::string debugOptions(const Settings &settings);

// Names one behind the other, separated by a comma.
std::string listed(const std::vector<std::string> &names);

} // namespace lanecl::icd
