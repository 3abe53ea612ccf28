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

  // Builds the kernel file `file` of `folder`, which is ownKernels() or an exampleKernels(). Throws cl::BuildError with
  // the build log.
  cl::Program build(const std::string &folder, const std::string &file, const std::string &options = "") const;

  cl::Buffer readOnly(const void *data, size_t bytes) const;
  cl::Buffer readWrite(const void *data, size_t bytes) const;
  cl::Buffer writeOnly(size_t bytes) const;

  template <typename T> void read(const cl::Buffer &buffer, std::vector<T> &data) const {
    queue.enqueueReadBuffer(buffer, CL_TRUE, 0, data.size() * sizeof(T), data.data());
  }
  void launch(const cl::Kernel &kernel, const cl::NDRange &global, const cl::NDRange &local) const {
    queue.enqueueNDRangeKernel(kernel, cl::NullRange, global, local);
  }

  std::string name; // the platform's name
  cl::Device device;
  cl::Context context;
  cl::CommandQueue queue;
};

// Returns the text of a kernel file. Throws std::runtime_error when it cannot be read.
std::string readKernelFile(const std::string &folder, const std::string &file);

std::string ownKernels(); // the folder with the kernel files of the benchmarks
// files of this folder replace those of ownKernels() that have the same names
void preferKernels(std::string folder);
std::string exampleKernels(const char *example); // the folder of the example of that name

} // namespace bench
