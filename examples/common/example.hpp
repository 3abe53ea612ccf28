// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Shared by all examples: choosing a device, options, building a kernel file, and handling errors.
#pragma once

#define CL_HPP_ENABLE_EXCEPTIONS
#define CL_HPP_TARGET_OPENCL_VERSION 300
#define CL_HPP_MINIMUM_OPENCL_VERSION 210
#include <CL/opencl.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace example {

// The options of the command line, in the form `--name value`. Every option has a default. An unknown name is an error.
class Options {
public:
  Options(int argc, char **argv, std::map<std::string, std::string> defaults) : values(std::move(defaults)) {
    values.emplace("platform", "");
    for (int i = 1; i < argc; i += 2) {
      const std::string word = argv[i];
      if (word.rfind("--", 0) != 0 || values.count(word.substr(2)) == 0 || i + 1 == argc)
        throw std::runtime_error("cannot use '" + word + "'\nusage: " + argv[0] + usage());
      values[word.substr(2)] = argv[i + 1];
    }
  }

  const std::string &text(const std::string &name) const { return values.at(name); }

  // Returns the value of an option as a number. A value that is not a number or is out of range is an error.
  size_t number(const std::string &name, size_t least = 1, size_t most = size_t(1) << 30) const {
    const std::string &value = text(name);
    const bool digits = !value.empty() && value.find_first_not_of("0123456789") == std::string::npos;
    const size_t number = digits && value.size() < 12 ? std::stoull(value) : most + 1;
    if (number < least || number > most)
      throw std::runtime_error("--" + name + " " + value + ": needs a number from " + std::to_string(least) + " to " +
                               std::to_string(most));
    return number;
  }

private:
  std::string usage() const {
    std::string line;
    for (const auto &[name, value] : values)
      line += " [--" + name + (value.empty() ? " NAME" : " " + value) + "]";
    return line;
  }

  std::map<std::string, std::string> values;
};

// Whether the device lists all these extensions.
inline bool hasExtensions(const cl::Device &device, const std::vector<std::string> &extensions) {
  const std::string offered = " " + device.getInfo<CL_DEVICE_EXTENSIONS>() + " ";
  for (const std::string &extension : extensions)
    if (offered.find(" " + extension + " ") == std::string::npos)
      return false;
  return true;
}

// Returns the first device with these extensions on a platform whose name contains `platform_part` (empty: any
// platform). Throws with the names of all platforms if there is none.
inline cl::Device chooseDevice(const std::string &platform_part, const std::vector<std::string> &extensions) {
  std::string seen;
  std::vector<cl::Platform> platforms;
  if (cl_uint count = 0; clGetPlatformIDs(0, nullptr, &count) == CL_SUCCESS) // without a platform the list is empty
    cl::Platform::get(&platforms);
  for (const cl::Platform &platform : platforms) {
    const std::string name = platform.getInfo<CL_PLATFORM_NAME>();
    seen += "\n  " + name;
    if (name.find(platform_part) == std::string::npos)
      continue;
    cl_uint count = 0; // a platform without devices is skipped
    if (clGetDeviceIDs(platform(), CL_DEVICE_TYPE_ALL, 0, nullptr, &count) != CL_SUCCESS)
      continue;
    std::vector<cl::Device> devices;
    platform.getDevices(CL_DEVICE_TYPE_ALL, &devices);
    for (const cl::Device &device : devices)
      if (hasExtensions(device, extensions))
        return device;
  }
  std::string wanted;
  for (const std::string &extension : extensions)
    wanted += " " + extension;
  throw std::runtime_error("no platform" + (platform_part.empty() ? "" : " named like '" + platform_part + "'") +
                           " has a device with" + wanted + ". Platforms found:" + (seen.empty() ? " none" : seen));
}

inline void printDevice(const cl::Device &device) {
  const cl::Platform platform(device.getInfo<CL_DEVICE_PLATFORM>());
  std::printf("Platform  %s\nDevice    %s\n", platform.getInfo<CL_PLATFORM_NAME>().c_str(),
              device.getInfo<CL_DEVICE_NAME>().c_str());
}

// Builds a kernel file in `directory`, the example's source folder. A failed build throws cl::BuildError.
inline cl::Program buildProgram(const cl::Context &context, const cl::Device &device, const std::string &directory,
                                const std::string &file, const std::string &options) {
  std::ifstream stream(directory + "/" + file, std::ios::binary);
  if (!stream)
    throw std::runtime_error("cannot read the kernel file " + directory + "/" + file);
  const std::string source{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  cl::Program program(context, source);
  program.build(std::vector<cl::Device>{device}, ("-cl-std=CL3.0 " + options).c_str());
  return program;
}

// Returns the sub-group size with which the kernel runs for this local size.
inline size_t subGroupWidth(const cl::Kernel &kernel, const cl::Device &device, const cl::NDRange &local) {
  return kernel.getSubGroupInfo<CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE>(device, local);
}

// Returns the time of the fastest of several runs in milliseconds. `run` must return when its work is done.
template <typename Run> double fastestMilliseconds(unsigned runs, Run run) {
  double fastest = 0;
  for (unsigned i = 0; i < runs; ++i) {
    const auto start = std::chrono::steady_clock::now();
    run();
    const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - start;
    fastest = i == 0 ? elapsed.count() : std::min(fastest, elapsed.count());
  }
  return fastest;
}

// Runs the example. Turns every failure into a message and an exit status other than zero.
template <typename Body> int guarded(Body body) {
  try {
    return body() ? 0 : 1;
  } catch (const cl::BuildError &error) {
    for (const auto &[device, log] : error.getBuildLog())
      std::fprintf(stderr, "%s\n", log.c_str());
    std::fprintf(stderr, "the kernel did not build (error %d)\n", error.err());
  } catch (const cl::Error &error) {
    std::fprintf(stderr, "%s failed with error %d\n", error.what(), error.err());
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
  }
  return 1;
}

} // namespace example
