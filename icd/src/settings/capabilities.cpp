// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "icd/capabilities.h"

#include "icd/resources.h"
#include "settings/made_once.h"

#include <algorithm>
#include <vector>

namespace lanecl::icd {
namespace {

constexpr NamedVersion kExtensions[] = {
#define LANECL_EXTENSION(name, major, minor, patch) {#name, major, minor, patch},
#include "settings/capabilities.def"
#undef LANECL_EXTENSION
};

constexpr NamedVersion kFeatures[] = {
#define LANECL_FEATURE(name) {#name, 3, 0, 0},
#include "settings/capabilities.def"
#undef LANECL_FEATURE
};

constexpr NamedVersion kVersions[] = {
    {"OpenCL C", 1, 0, 0},
    {"OpenCL C", 1, 1, 0},
    {"OpenCL C", 1, 2, 0},
    {"OpenCL C", 3, 0, 0},
};

constexpr std::string_view kSpirvExtensions[] = {"cl_khr_il_program", "cl_khr_spirv_queries"};

std::vector<NamedVersion> offeredExtensions() {
  std::vector<NamedVersion> offered;
  for (const NamedVersion &extension : kExtensions)
    if (readsSpirv() || std::ranges::find(kSpirvExtensions, extension.name) == std::end(kSpirvExtensions))
      offered.push_back(extension);
  return offered;
}

bool contains(std::span<const NamedVersion> list, std::string_view name) {
  return std::any_of(list.begin(), list.end(), [&](const NamedVersion &entry) { return entry.name == name; });
}

} // namespace

std::span<const NamedVersion> deviceExtensions() {
  static constinit MadeOnce<std::vector<NamedVersion>> made;
  return made.get(offeredExtensions);
}
std::span<const NamedVersion> openclCFeatures() {
  return kFeatures;
}
std::span<const NamedVersion> openclCVersions() {
  return kVersions;
}

std::string extensionString() {
  std::string result;
  for (const NamedVersion &extension : deviceExtensions())
    result += (result.empty() ? "" : " ") + std::string(extension.name);
  return result;
}

bool hasFeature(std::string_view name) {
  return contains(kFeatures, name);
}
bool hasExtension(std::string_view name) {
  return contains(deviceExtensions(), name);
}

frontend::LanguageTraits languageTraits(std::string resource_directory) {
  frontend::LanguageTraits traits;
#define LANECL_EXTENSION(name, ...) traits.extensions.emplace_back(#name);
#define LANECL_EXTENSION_WITHOUT_MACRO(...)
#include "settings/capabilities.def"
#undef LANECL_EXTENSION
  for (const NamedVersion &feature : kFeatures)
    traits.features.emplace_back(feature.name);
  traits.resource_directory = std::move(resource_directory);
  return traits;
}

} // namespace lanecl::icd
