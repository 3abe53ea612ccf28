// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Precompiled headers that are made when LaneCL is built and lie in its resource folder, so that the first program of a
// machine, or of a process without a cache, need not wait for one.
#pragma once

#include "frontend/frontend.h"
#include "opencl_c/language.h"

#include <optional>
#include <string>

namespace lanecl::frontend {

// Of the language with this setup. Nothing when there is none, when it is damaged, or when the compiler, its arguments
// or the headers are not those that it was made with. Where the resource folder lies does not matter.
std::optional<std::string> loadReadyHeader(const LanguageTraits &traits, const LanguageSetup &setup);
bool storeReadyHeader(const LanguageTraits &traits, const LanguageSetup &setup, const std::string &header);

} // namespace lanecl::frontend
