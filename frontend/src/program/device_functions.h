// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What of the built-in library a device has. OpenCL C declares nothing else, but programs can declare functions
// themselves, and SPIR-V modules import them.
#pragma once

#include "frontend/frontend.h"

#include <string>
#include <string_view>

namespace lanecl::frontend {

// Whether the device lists that extension or feature; "" is neither.
bool lists(const LanguageTraits &traits, std::string_view name);
// Whether programs may use it, listed or not.
bool accepts(const LanguageTraits &traits, std::string_view name);

// Why the device lacks the built-in function of that mangled name, as "needs …"; empty: it does not.
std::string whyLacking(const LanguageTraits &traits, std::string_view function);

// What of the traits decides that, for the key of a cache.
std::string identityOfFunctions(const LanguageTraits &traits);

} // namespace lanecl::frontend
