// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The extensions, features and language versions of the device and the platform. Both the info queries and the
// compiler's predefined macros are made from this one list, icd/src/settings/capabilities.def. It names only what works
// completely; the functions below return the part that the profile offers (icd/profile.h).
#pragma once

#include "frontend/frontend.h"
#include "icd/profile.h"

#include <span>
#include <string>
#include <string_view>

namespace lanecl::icd {

// The members of a cl_name_version; the version is not packed.
struct NamedVersion {
  const char *name;
  unsigned major, minor, patch;
};

std::span<const NamedVersion> deviceExtensions();
std::span<const NamedVersion> platformExtensions();
std::span<const NamedVersion> openclCFeatures();
std::span<const NamedVersion> openclCVersions();
// Returns the names separated by spaces, as CL_DEVICE_EXTENSIONS has them.
std::string joinNames(std::span<const NamedVersion> extensions);
// The minor versions of OpenCL 3.x: the platform's, and the device's, which may be older.
unsigned platformMinor();
unsigned deviceMinor();
bool hasFeature(std::string_view name);
bool hasExtension(std::string_view name);

// Whether `profile` has that extension or feature.
bool offers(const DeviceProfile &profile, std::string_view name);

// Returns the same list in the form that the compiler takes. `resource_directory` is passed through.
frontend::LanguageTraits languageTraits(std::string resource_directory, const DeviceProfile &as = deviceProfile());

} // namespace lanecl::icd
