// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Translates the settings into the vectorizer's configuration, for the device and for the tools.
#pragma once

#include "icd/settings.h"
#include "vectorizer/vectorizer.h"

#include <string>

namespace lanecl::icd {

// Returns the configuration with processor, instruction set and dump folder; the caller adds the path of the built-in
// library and the cache. Settings that cannot be followed are ignored and reported on stderr, once.
const vectorizer::Settings &vectorizerConfig();

// Does the same for given settings, and appends warnings to `messages`.
vectorizer::Settings vectorizerConfig(const Settings &settings, std::string &messages);

// Returns the build options that LANECL_DEBUG adds to those of every program, or "".
std::string debugOptions(const Settings &settings);

// Returns the names joined by commas, for messages.
std::string listed(const std::vector<std::string> &names);

} // namespace lanecl::icd
