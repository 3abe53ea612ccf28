// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Finds the device of a platform, by the platform's name or by its driver's file.
#include "device.h"
#include "benchmark.h"

#include <dlfcn.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace bench {

namespace {

// The folder that preferKernels() was given; empty: none.
std::string preferred_kernels;

std::vector<cl_device_id> devicesOf(cl_platform_id platform) {
  cl_uint count = 0;
  if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count) != CL_SUCCESS)
    return {};
  std::vector<cl_device_id> devices(count);
  clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, devices.data(), nullptr);
  return devices;
}

// Returns the library that an .icd file names.
std::string libraryOf(const std::string &icd_file) {
  std::ifstream stream(icd_file);
  std::string library;
  if (!(stream >> library))
    throw std::runtime_error("cannot read the name of a library from " + icd_file);
  return library;
}

// Loads a driver as the OpenCL loader does (cl_khr_icd) and returns its first device. Later calls go through the
// loader, which finds the driver's functions in the table that each of its objects points to.
cl::Device deviceOfLibrary(const std::string &path) {
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL); // never closed, because drivers have threads
  if (!library)
    throw std::runtime_error(std::string("cannot load a driver: ") + dlerror());
  const auto address_of = reinterpret_cast<void *(*)(const char *)>(dlsym(library, "clGetExtensionFunctionAddress"));
  const auto get_platforms =
      address_of ? reinterpret_cast<clIcdGetPlatformIDsKHR_fn>(address_of("clIcdGetPlatformIDsKHR")) : nullptr;
  cl_platform_id platform = nullptr;
  if (!get_platforms || get_platforms(1, &platform, nullptr) != CL_SUCCESS || !platform)
    throw std::runtime_error(path + " is not an OpenCL driver, or has no platform");
  const std::vector<cl_device_id> devices = devicesOf(platform);
  if (devices.empty())
    throw std::runtime_error("the platform of " + path + " has no device");
  return cl::Device(devices.front());
}

// Returns the first device of the platform whose name contains `platform_part`. Throws an error that lists the
// platforms when there is none.
cl::Device deviceOfPlatform(const std::string &platform_part) {
  std::string seen;
  cl_uint platform_count = 0;
  std::vector<cl::Platform> platforms;
  if (clGetPlatformIDs(0, nullptr, &platform_count) == CL_SUCCESS)
    cl::Platform::get(&platforms);
  for (const cl::Platform &platform : platforms) {
    const std::string name = platform.getInfo<CL_PLATFORM_NAME>();
    const std::vector<cl_device_id> devices = devicesOf(platform());
    seen += "\n  " + name + (devices.empty() ? " (no device)" : "");
    if (!devices.empty() && name.find(platform_part) != std::string::npos)
      return cl::Device(devices.front());
  }
  throw std::runtime_error("no platform with a device has a name that contains '" + platform_part +
                           "'. Platforms found:" + (seen.empty() ? " none" : seen));
}

// Returns whether the device can make a sub-device with that many compute units.
bool canSplitOff(const cl::Device &device, size_t compute_units) {
  const auto ways = device.getInfo<CL_DEVICE_PARTITION_PROPERTIES>();
  return std::find(ways.begin(), ways.end(), CL_DEVICE_PARTITION_BY_COUNTS) != ways.end() &&
         device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>() >= compute_units &&
         device.getInfo<CL_DEVICE_PARTITION_MAX_SUB_DEVICES>() > 0;
}

cl::Device findDevice(const std::string &platform) {
  if (platform.ends_with(".icd"))
    return deviceOfLibrary(libraryOf(platform));
  return platform.find(".so") != std::string::npos ? deviceOfLibrary(platform) : deviceOfPlatform(platform);
}

} // namespace

Device::Device(const std::string &platform) : device(findDevice(platform)), context(device), queue(context, device) {
  name = cl::Platform(device.getInfo<CL_DEVICE_PLATFORM>()).getInfo<CL_PLATFORM_NAME>();
}

bool Device::has(const std::string &feature) const {
  if (feature == kImages)
    return device.getInfo<CL_DEVICE_IMAGE_SUPPORT>();
  if (feature.starts_with(kSubDeviceOf))
    return canSplitOff(device, std::stoul(feature.substr(kSubDeviceOf.size())));
  return (" " + device.getInfo<CL_DEVICE_EXTENSIONS>() + " ").find(" " + feature + " ") != std::string::npos;
}

std::string readKernelFile(const std::string &file) {
  for (const std::string &folder :
       {preferred_kernels, std::string(BENCH_KERNEL_DIRECTORY), std::string(EXAMPLES_DIRECTORY)})
    if (std::ifstream stream(folder + "/" + file, std::ios::binary); !folder.empty() && stream)
      return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  throw std::runtime_error("cannot read the kernel file " + file);
}

void preferKernels(std::string folder) {
  preferred_kernels = std::move(folder);
}

} // namespace bench
