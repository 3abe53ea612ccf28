// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Filters the list of capabilities.def by the profile, and by whether SPIR-V can be read.
#include "icd/capabilities.h"

#include "icd/resources.h"
#include "settings/made_once.h"

#include <algorithm>
#include <vector>

namespace lanecl::icd {
namespace {

struct Extension {
  NamedVersion name;
  bool has_macro, is_of_gpus; // see capabilities.def
};

constexpr Extension kExtensions[] = {
#define LANECL_EXTENSION(name, ...) {{#name, __VA_ARGS__}, true, false},
#define LANECL_EXTENSION_WITHOUT_MACRO(name, ...) {{#name, __VA_ARGS__}, false, false},
#define LANECL_GPU_EXTENSION(name, ...) {{#name, __VA_ARGS__}, false, true},
#include "settings/capabilities.def"
#undef LANECL_EXTENSION
};

constexpr NamedVersion kFeatures[] = {
#define LANECL_FEATURE(name) {#name, 3, 0, 0},
#include "settings/capabilities.def"
#undef LANECL_FEATURE
};

constexpr NamedVersion kVersions[] = {
    {"OpenCL C", 1, 0, 0}, {"OpenCL C", 1, 1, 0}, {"OpenCL C", 1, 2, 0}, {"OpenCL C", 3, 0, 0}, {"OpenCL C", 3, 1, 0},
};

constexpr std::string_view kSpirvExtensions[] = {"cl_khr_il_program", "cl_khr_spirv_queries",
                                                 "cl_khr_subgroup_named_barrier", "cl_khr_spirv_extended_debug_info"};

// Whether one of the lists has the name.
bool lists(const NameLists &lists, std::string_view name) {
  return std::ranges::any_of(lists, [&](const auto &list) { return std::ranges::find(list, name) != list.end(); });
}

// Whether the profile has no list of its own and offers everything except extensions of GPUs.
bool listsEverything(const DeviceProfile &profile) {
  return profile.extensions[0].empty();
}

// Whether the profile offers the extension, and what the extension needs is installed.
bool isOffered(const DeviceProfile &profile, const Extension &extension) {
  const bool needs_translator = std::ranges::find(kSpirvExtensions, extension.name.name) != std::end(kSpirvExtensions);
  if (needs_translator && !readsSpirv())
    return false;
  return listsEverything(profile) ? !extension.is_of_gpus : lists(profile.extensions, extension.name.name);
}

// Returns the extension with the version that the profile's driver lists.
NamedVersion listed(const DeviceProfile &profile, const NamedVersion &extension) {
  const std::span<const std::string_view> versioned = profile.versioned;
  const bool has_version =
      versioned.empty() || std::ranges::find(versioned, std::string_view(extension.name)) != versioned.end();
  return has_version ? extension : NamedVersion{extension.name, 1, 0, 0};
}

// Returns the extensions that the profile offers; `only_with_macro` restricts them to those that kernels see.
std::vector<NamedVersion> offeredExtensions(const DeviceProfile &profile, bool only_with_macro) {
  std::vector<NamedVersion> offered;
  for (const Extension &extension : kExtensions)
    if (isOffered(profile, extension) && (extension.has_macro || !only_with_macro))
      offered.push_back(listed(profile, extension.name));
  return offered;
}

std::vector<NamedVersion> offeredFeatures(const DeviceProfile &profile) {
  std::vector<NamedVersion> offered;
  for (const NamedVersion &feature : kFeatures)
    if (listsEverything(profile) || lists(profile.features, feature.name))
      offered.push_back(feature);
  return offered;
}

bool contains(std::span<const NamedVersion> list, std::string_view name) {
  return std::any_of(list.begin(), list.end(), [&](const NamedVersion &entry) { return entry.name == name; });
}

} // namespace

// Returns the extensions that work, including those that the profile does not list.
static std::span<const NamedVersion> allExtensions() {
  static constinit MadeOnce<std::vector<NamedVersion>> made;
  return made.get([] { return offeredExtensions(deviceProfile(), /*only_with_macro=*/false); });
}
std::span<const NamedVersion> deviceExtensions() {
  static constinit MadeOnce<std::vector<NamedVersion>> made;
  return made.get([] {
    std::vector<NamedVersion> listed(allExtensions().begin(), allExtensions().end());
    std::erase_if(listed, [](const NamedVersion &extension) {
      return std::ranges::find(deviceProfile().unlisted, std::string_view(extension.name)) !=
             deviceProfile().unlisted.end();
    });
    return listed;
  });
}
// The platform lists cl_khr_icd even where the device does not, because the loader looks for it.
std::span<const NamedVersion> platformExtensions() {
  static constinit MadeOnce<std::vector<NamedVersion>> made;
  return made.get([] {
    std::vector<NamedVersion> extensions(deviceExtensions().begin(), deviceExtensions().end());
    if (!contains(extensions, "cl_khr_icd"))
      extensions.insert(extensions.begin(), {"cl_khr_icd", 1, 0, 0});
    return extensions;
  });
}
std::span<const NamedVersion> openclCFeatures() {
  static constinit MadeOnce<std::vector<NamedVersion>> made;
  return made.get([] { return offeredFeatures(deviceProfile()); });
}
std::span<const NamedVersion> openclCVersions() {
  return std::span(kVersions).first(std::size(kVersions) - (platformMinor() == 0 ? 1 : 0)); // the last is 3.1
}

unsigned platformMinor() {
  return deviceProfile().opencl_minor;
}
// OpenCL 3.1 requires SPIR-V, so without the translator the device has version 3.0.
unsigned deviceMinor() {
  return readsSpirv() ? platformMinor() : 0;
}

std::string joinNames(std::span<const NamedVersion> extensions) {
  std::string result;
  for (const NamedVersion &extension : extensions)
    result += (result.empty() ? "" : " ") + std::string(extension.name);
  return result;
}

bool hasFeature(std::string_view name) {
  return contains(openclCFeatures(), name);
}
bool hasExtension(std::string_view name) {
  return contains(allExtensions(), name);
}

bool offers(const DeviceProfile &profile, std::string_view name) {
  return contains(offeredExtensions(profile, /*only_with_macro=*/false), name) ||
         contains(offeredFeatures(profile), name);
}

// Returns the extensions and features that SPIR-V may use although the device does not list them: the compilers of GPUs
// accept everything that they know, except what depends on the hardware.
static std::vector<std::string> unlistedInSpirv(const DeviceProfile &as) {
  std::vector<std::string> names;
  if (!as.accepts_undeclared_spirv)
    return names;
  for (const Extension &extension : kExtensions)
    if (extension.has_macro && !lists(as.bound_to_hardware, extension.name.name))
      names.emplace_back(extension.name.name);
  for (const NamedVersion &feature : kFeatures)
    if (!lists(as.bound_to_hardware, feature.name))
      names.emplace_back(feature.name);
  return names;
}

frontend::LanguageTraits languageTraits(std::string resource_directory, const DeviceProfile &as) {
  frontend::LanguageTraits traits;
  for (const NamedVersion &extension : offeredExtensions(as, /*only_with_macro=*/true))
    traits.extensions.emplace_back(extension.name);
  for (const NamedVersion &feature : offeredFeatures(as))
    traits.features.emplace_back(feature.name);
  traits.newest_opencl_c = as.opencl_minor == 0 ? 300 : 310;
  traits.matrix_sub_group = as.matrix_sub_group;
  traits.unlisted = unlistedInSpirv(as);
  traits.declares_sub_groups = as.accepts_undeclared_spirv;
  traits.sub_group_sizes = subGroupSizes(as);
  traits.resource_directory = std::move(resource_directory);
  return traits;
}

} // namespace lanecl::icd
