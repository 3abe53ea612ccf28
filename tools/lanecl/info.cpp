// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `lanecl info`: shows the device and the settings. This file is part of the device's library, so the OpenCL functions
// that it calls are the library's own and not a loader's.
#include "commands.h"

#include "icd/capabilities.h"
#include "icd/configuration.h"
#include "icd/profile.h"
#include "icd/resources.h"
#include "icd/settings.h"
#include "vectorizer/vectorizer.h"

#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <fmt/core.h>

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include <unistd.h>

namespace lanecl::tool {
namespace {

// Returns the platform's device. Throws when there is none; a message on stderr says why.
cl_device_id ownDevice() {
  cl_uint count = 0;
  cl_platform_id platform = nullptr;
  if (clGetPlatformIDs(1, &platform, &count) != CL_SUCCESS || count == 0)
    throw std::runtime_error("there is no platform; see the messages above");
  cl_device_id device = nullptr;
  if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr) != CL_SUCCESS)
    throw std::runtime_error("the platform has no device; see the messages above");
  return device;
}

std::string text(cl_device_id device, cl_device_info what) {
  size_t size = 0;
  clGetDeviceInfo(device, what, 0, nullptr, &size);
  std::string value(size, '\0');
  clGetDeviceInfo(device, what, size, value.data(), nullptr);
  value.resize(size == 0 ? 0 : size - 1);
  return value;
}

template <typename T> T number(cl_device_id device, cl_device_info what) {
  T value{};
  clGetDeviceInfo(device, what, sizeof value, &value, nullptr);
  return value;
}

std::string subGroupSizes(cl_device_id device) {
  size_t size = 0;
  clGetDeviceInfo(device, CL_DEVICE_SUB_GROUP_SIZES_INTEL, 0, nullptr, &size);
  std::vector<size_t> sizes(size / sizeof(size_t));
  clGetDeviceInfo(device, CL_DEVICE_SUB_GROUP_SIZES_INTEL, size, sizes.data(), nullptr);
  std::string result;
  for (const size_t width : sizes)
    result += (result.empty() ? "" : ", ") + std::to_string(width);
  return result;
}

void line(const char *name, const std::string &value) {
  fmt::print("{:<22}{}\n", name, value);
}

// Prints the environment variables with their legal values and the current ones.
void showSettings() {
  fmt::print("\nEnvironment variables\n");
  for (const icd::SettingDescription &setting : icd::settingDescriptions()) {
    const char *value = std::getenv(setting.name);
    fmt::print("  {:<24}{}\n  {:<24}values: {}{}\n", setting.name, setting.text, "", setting.legal,
               value == nullptr ? "" : fmt::format("; now: {}", value));
  }
}

} // namespace
} // namespace lanecl::tool

int laneclShowInfo(const lanecl::tool::InfoOptions &options) {
  using namespace lanecl;
  using namespace lanecl::tool;
  cl_device_id device = ownDevice();
  const vectorizer::TargetDescription target = describe(icd::vectorizerConfig().target);
  line("Device", text(device, CL_DEVICE_NAME));
  line("Instruction set", fmt::format("{}, {}-bit registers (processor: {})", vectorizer::isaName(target.isa),
                                      target.vector_bits, target.cpu));
  if (!target.missing.empty())
    line("Launches", "unavailable: this processor lacks " + icd::listed(target.missing));
  line(icd::deviceProfile().compute_units == 0 ? "Threads" : "Compute units",
       std::to_string(number<cl_uint>(device, CL_DEVICE_MAX_COMPUTE_UNITS)));
  if (options.brief)
    return 0;
  line("Version", text(device, CL_DEVICE_VERSION) + ", " + text(device, CL_DEVICE_OPENCL_C_VERSION));
  line("Driver", text(device, CL_DRIVER_VERSION));
  line("Sub-group sizes", subGroupSizes(device));
  line("Work-group size", "up to " + std::to_string(number<size_t>(device, CL_DEVICE_MAX_WORK_GROUP_SIZE)));
  line("Global memory", fmt::format("{} MiB", number<cl_ulong>(device, CL_DEVICE_GLOBAL_MEM_SIZE) >> 20));
  line("Local memory", fmt::format("{} KiB", number<cl_ulong>(device, CL_DEVICE_LOCAL_MEM_SIZE) >> 10));
  std::string error;
  const std::string resources = icd::resourceDirectory(error);
  line("Resources", resources.empty() ? error : resources);
  const std::string cache = icd::cacheDirectory();
  line("Kernel cache", cache.empty() ? "off" : cache);
  if (const std::string shared = icd::sharedCacheDirectory(); !shared.empty())
    line("Shared cache", shared);
  const std::string translator = icd::spirvTranslator();
  line("SPIR-V translator", translator + (icd::readsSpirv() ? "" : " (cannot be run: no SPIR-V)"));
  fmt::print("\nExtensions\n");
  for (const icd::NamedVersion &extension : icd::deviceExtensions())
    fmt::print("  {} {}.{}.{}\n", extension.name, extension.major, extension.minor, extension.patch);
  showSettings();
  return 0;
}
