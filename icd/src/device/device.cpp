// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The root device and its compiler, clGetDeviceIDs and the timers.
#include "device/device.h"

#include "api/entry.h"
#include "device/compiler_use.h"
#include "device/object_cache.h"
#include "device/platform.h"

#include "icd/capabilities.h"
#include "icd/configuration.h"
#include "icd/resources.h"
#include "icd/settings.h"
#include "icd/thread_count.h"
#include "settings/made_once.h"

#include "frontend/compiler_identity.h"
#include "frontend/file_hash.h"

#include <algorithm>
#include <cstdio>
#include <thread>

namespace lanecl::icd {
namespace {

// Returns the compute units of the root device. A compute unit is a thread. If each thread has a processor of its own,
// the units are identified by their processors; with LANECL_THREADS they are not.
ComputeUnits allUnits() {
  if (settings().threads != 0)
    return {settings().threads, {}};
  Processors processors = scheduler::availableProcessors();
  const auto count = unsigned(processors.size());
  return {count != 0 ? count : std::max(1u, std::thread::hardware_concurrency()), std::move(processors)};
}

// Returns the message for a target with instructions that this processor lacks, or "".
std::string refusalOf(const vectorizer::TargetDescription &target) {
  if (target.missing.empty())
    return {};
  return "kernels are compiled for " + target.cpu +
         " (LANECL_CPU) and kept in the cache; they cannot be launched here, "
         "because this processor lacks " +
         listed(target.missing) + "; unset LANECL_CPU to launch them";
}

// Opens the disk cache. Returns null if there is none.
std::shared_ptr<frontend::DiskCache> makeCache() {
  frontend::DiskCache::Settings config;
  config.directory = cacheDirectory();
  config.shared = sharedCacheDirectory();
  if (config.directory.empty() && config.shared.empty())
    return nullptr;
  config.writer = frontend::compilerIdentity(clangModule());
  config.report = [](const std::string &message) { std::fprintf(stderr, "LaneCL: %s\n", message.c_str()); };
  return std::make_shared<frontend::DiskCache>(std::move(config));
}

} // namespace

unsigned threadCount() {
  return allUnits().count;
}

Device::Device() : units_(allUnits()) {}

Device &Device::root() {
  CompilerUse::watchThread();
  static constinit MadeOnce<Device *> instance;
  return *instance.get([] {
    CompilerUse::watchProcess();
    return new Device;
  });
}

scheduler::Executor &Device::scheduler() {
  std::call_once(scheduler_once_, [&] {
    scheduler::ExecutorSettings config{.threads = units_.count, .processors = {}};
    config.left_to_host = units_.count == 1 && !settings().debug.empty();
    // The root device uses all processors, so its threads need not be bound.
    if (parent_)
      config.processors = units_.processors;
    scheduler_ = scheduler::Executor::create(config);
  });
  return *scheduler_;
}

void Device::makeCompiler() {
  const std::string resources = resourceDirectory(compiler_error_);
  if (resources.empty())
    return;
  frontend::LanguageTraits traits = languageTraits(resources);
  traits.builtins_path = builtinsPath(resources);
  traits.spirv_translator = spirvTranslator();
  traits.clang_module = clangModule();
  traits.clang_loaded = CompilerUse::librariesLoaded;
  traits.added_options = debugOptions(settings());
  traits.wants_lines = !settings().check.empty();
  traits.cache = makeCache();
  if (traits.cache)
    object_cache_ = std::make_unique<DiskObjectCache>(traits.cache);

  vectorizer::Settings config = vectorizerConfig();
  config.builtins_path = traits.builtins_path;
  config.cache = object_cache_.get();
  config.threads = units_.count;
  if (traits.cache)
    config.builtins_hash = frontend::hashOfFile(config.builtins_path, traits.cache.get());
  vectorizer_ = std::make_unique<vectorizer::Vectorizer>(config);
  refusal_ = refusalOf(vectorizer_->target());
  if (!refusal_.empty())
    std::fprintf(stderr, "LaneCL: %s\n", refusal_.c_str());
  frontend_ = std::make_unique<frontend::Frontend>(std::move(traits));
}

Device &Device::compiler(std::string &error) {
  std::call_once(compiler_once_, [&] { makeCompiler(); });
  error = compiler_error_;
  return *this;
}

bool contains(const DeviceList &devices, const Device *device) {
  return std::any_of(devices.begin(), devices.end(), [&](const Ref<Device> &known) { return known.get() == device; });
}

std::vector<cl_device_id> handlesOf(const DeviceList &devices) {
  std::vector<cl_device_id> handles;
  for (const Ref<Device> &device : devices)
    handles.push_back(device->handle());
  return handles;
}

namespace {

constexpr cl_device_type kKnownTypes = CL_DEVICE_TYPE_DEFAULT | CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU |
                                       CL_DEVICE_TYPE_ACCELERATOR | CL_DEVICE_TYPE_CUSTOM;

} // namespace

cl_int matchDeviceType(cl_device_type type) {
  // CL_INVALID_DEVICE_TYPE if device_type is not a valid value.
  if (type != CL_DEVICE_TYPE_ALL && (type == 0 || (type & ~kKnownTypes) != 0))
    return CL_INVALID_DEVICE_TYPE;
  // CL_DEVICE_NOT_FOUND if no OpenCL devices that matched device_type were found.
  const cl_device_type own = deviceProfile().is_gpu ? CL_DEVICE_TYPE_GPU : CL_DEVICE_TYPE_CPU;
  return isKnownDevice() && (type & (CL_DEVICE_TYPE_DEFAULT | own)) != 0 ? CL_SUCCESS : CL_DEVICE_NOT_FOUND;
}

namespace {

cl_int deviceIds(cl_platform_id platform, cl_device_type type, cl_uint num_entries, cl_device_id *devices,
                 cl_uint *num_devices) {
  // A NULL platform is implementation-defined: there is only this one.
  if (platform)
    if (cl_int code = validate(platform))
      return code;
  // CL_INVALID_VALUE if num_entries is equal to zero and devices is not NULL.
  if (num_entries == 0 && devices)
    return CL_INVALID_VALUE;
  // CL_INVALID_VALUE if both num_devices and devices are NULL.
  if (!num_devices && !devices)
    return CL_INVALID_VALUE;
  if (cl_int code = matchDeviceType(type)) {
    if (num_devices && code == CL_DEVICE_NOT_FOUND)
      *num_devices = 0;
    return code;
  }
  if (devices)
    devices[0] = Device::root().handle();
  if (num_devices)
    *num_devices = 1;
  return CL_SUCCESS;
}

cl_int timers(cl_device_id device, cl_ulong *device_timestamp, bool wants_device, cl_ulong *host_timestamp) {
  if (cl_int code = validate(device))
    return code;
  // CL_INVALID_VALUE if host_timestamp or device_timestamp is NULL.
  if (!host_timestamp || (wants_device && !device_timestamp))
    return CL_INVALID_VALUE;
  // Host and device are one machine with one clock, the clock of event profiling.
  *host_timestamp = scheduler::nanoseconds();
  if (wants_device)
    *device_timestamp = *host_timestamp;
  return CL_SUCCESS;
}

} // namespace
} // namespace lanecl::icd

using namespace lanecl::icd;

CL_API_ENTRY cl_int CL_API_CALL clGetDeviceIDs(cl_platform_id platform, cl_device_type type, cl_uint num_entries,
                                               cl_device_id *devices, cl_uint *num_devices) {
  return entry([&] { return deviceIds(platform, type, num_entries, devices, num_devices); });
}

CL_API_ENTRY cl_int CL_API_CALL clGetDeviceAndHostTimer(cl_device_id device, cl_ulong *device_timestamp,
                                                        cl_ulong *host_timestamp) {
  return entry([&] { return timers(device, device_timestamp, true, host_timestamp); });
}

CL_API_ENTRY cl_int CL_API_CALL clGetHostTimer(cl_device_id device, cl_ulong *host_timestamp) {
  return entry([&] { return timers(device, nullptr, false, host_timestamp); });
}
