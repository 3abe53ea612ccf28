// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Reveals which functions of the built-in library a device has. OpenCL C declares only these, but programs can declare
// functions themselves, and SPIR-V modules import them.
#pragma once

#include "frontend/frontend.h"

#include <string>
#include <string_view>

namespace lanecl::frontend {

// Whether the device lists the extension or feature. An empty name counts as listed.
bool lists(const LanguageTraits &traits, std::string_view name);
// Whether programs may use the extension or feature, listed or not.
bool accepts(const LanguageTraits &traits, std::string_view name);

// Returns the reason why the device lacks the built-in function with this mangled name, such as "needs …". The result
// is empty if the device has it.
std::string whyLacking(const LanguageTraits &traits, std::string_view function);

// Returns a text that differs between devices with different functions, for the keys of caches.
std::string identityOfFunctions(const LanguageTraits &traits);

} // namespace lanecl::frontend
