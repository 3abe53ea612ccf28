// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Reads and writes precompiled headers that are made when LaneCL is built. They lie in its resource folder, so that the
// first program on a machine, or in a process without a cache, need not wait for one.
#pragma once

#include "frontend/frontend.h"
#include "opencl_c/language.h"

#include <optional>
#include <string>

namespace lanecl::frontend {

// Returns the precompiled header of the language with this setup. Returns nothing if there is none, if it is damaged,
// or if it was made with another compiler, other arguments or other headers. The place of the resource folder does not
// matter.
std::optional<std::string> loadReadyHeader(const LanguageTraits &traits, const LanguageSetup &setup);
// Writes the precompiled header. Returns whether that succeeded.
bool storeReadyHeader(const LanguageTraits &traits, const LanguageSetup &setup, const std::string &header);

} // namespace lanecl::frontend
