// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What the device offers a program and a host: one list, from which the info queries and the compiler's predefined
// macros both come. Only what works completely is listed, and of that what the profile has (icd/profile.h).
#pragma once

#include "frontend/frontend.h"
#include "icd/profile.h"

#include <span>
#include <string>
#include <string_view>

namespace lanecl::icd {

struct NamedVersion {
  const char *name;
  unsigned major, minor, patch;
};

std::span<const NamedVersion> deviceExtensions();
std::span<const NamedVersion> platformExtensions();
std::span<const NamedVersion> openclCFeatures();
std::span<const NamedVersion> openclCVersions();
std::string joinNames(std::span<const NamedVersion> extensions); // separated by a space
// Of OpenCL 3: the platform's version and the device's, which may be older.
unsigned platformMinor();
unsigned deviceMinor();
bool hasFeature(std::string_view name);
bool hasExtension(std::string_view name);

// Whether a profile has that extension or feature.
bool offers(const Profile &profile, std::string_view name);

// The same list in the compiler's form. `resource_directory` is passed through.
frontend::LanguageTraits languageTraits(std::string resource_directory, const Profile &as = profile());

} // namespace lanecl::icd
