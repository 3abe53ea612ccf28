// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A platform that takes part in a benchmark: its first device with a context and an in-order queue.
#pragma once

#define CL_HPP_ENABLE_EXCEPTIONS
#define CL_HPP_TARGET_OPENCL_VERSION 300
#define CL_HPP_MINIMUM_OPENCL_VERSION 210
#include <CL/opencl.hpp>

#include <string>
#include <vector>

namespace bench {

struct Device {
  // `platform` is a part of a platform's name, or a driver's file: a library (.so), or an .icd file that names one.
  // Throws std::runtime_error when there is no such platform with a device.
  explicit Device(const std::string &platform);

  // Returns whether the device has a feature that Benchmark::needs may name: an extension, images, or enough compute
  // units for a sub-device.
  bool has(const std::string &feature) const;

  std::string name; // the platform's name
  cl::Device device;
  cl::Context context;
  cl::CommandQueue queue;
};

// Returns the text of a kernel file of the benchmarks, or of an example if it is named EXAMPLE/FILE. Throws
// std::runtime_error when it cannot be read.
std::string readKernelFile(const std::string &file);

// Makes files of this folder replace those of the benchmarks that have the same names.
void preferKernels(std::string folder);

} // namespace bench
