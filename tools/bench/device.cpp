// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "device.h"

#include <fstream>
#include <iterator>
#include <stdexcept>

namespace bench {

namespace {

cl::Device findDevice(const std::string &platform_part) {
  std::string seen;
  cl_uint platform_count = 0;
  std::vector<cl::Platform> platforms;
  if (clGetPlatformIDs(0, nullptr, &platform_count) == CL_SUCCESS)
    cl::Platform::get(&platforms);
  for (const cl::Platform &platform : platforms) {
    const std::string name = platform.getInfo<CL_PLATFORM_NAME>();
    cl_uint device_count = 0;
    const bool has_devices =
        clGetDeviceIDs(platform(), CL_DEVICE_TYPE_ALL, 0, nullptr, &device_count) == CL_SUCCESS && device_count > 0;
    seen += "\n  " + name + (has_devices ? "" : " (no device)");
    if (!has_devices || name.find(platform_part) == std::string::npos)
      continue;
    std::vector<cl::Device> devices;
    platform.getDevices(CL_DEVICE_TYPE_ALL, &devices);
    return devices.front();
  }
  throw std::runtime_error("no platform with a device is named like '" + platform_part +
                           "'. Platforms found:" + (seen.empty() ? " none" : seen));
}

} // namespace

Device::Device(const std::string &platform_part)
    : device(findDevice(platform_part)), context(device), queue(context, device) {
  name = cl::Platform(device.getInfo<CL_DEVICE_PLATFORM>()).getInfo<CL_PLATFORM_NAME>();
}

cl::Program Device::build(const std::string &folder, const std::string &file, const std::string &options) const {
  cl::Program program(context, readKernelFile(folder, file));
  program.build(std::vector<cl::Device>{device}, ("-cl-std=CL3.0 " + options).c_str());
  return program;
}

cl::Buffer Device::readOnly(const void *data, size_t bytes) const {
  return cl::Buffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes, const_cast<void *>(data));
}

cl::Buffer Device::readWrite(const void *data, size_t bytes) const {
  return cl::Buffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes, const_cast<void *>(data));
}

cl::Buffer Device::writeOnly(size_t bytes) const {
  return cl::Buffer(context, CL_MEM_WRITE_ONLY, bytes);
}

std::string readKernelFile(const std::string &folder, const std::string &file) {
  std::ifstream stream(folder + "/" + file, std::ios::binary);
  if (!stream)
    throw std::runtime_error("cannot read the kernel file " + folder + "/" + file);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

std::string ownKernels() {
  return BENCH_KERNEL_DIRECTORY;
}

std::string exampleKernels(const char *example) {
  return std::string(EXAMPLES_DIRECTORY) + "/" + example;
}

} // namespace bench
