// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A platform that takes part: its first device, a context, an in-order queue.
#pragma once

#define CL_HPP_ENABLE_EXCEPTIONS
#define CL_HPP_TARGET_OPENCL_VERSION 300
#define CL_HPP_MINIMUM_OPENCL_VERSION 210
#include <CL/opencl.hpp>

#include <string>
#include <vector>

namespace bench {

struct Device {
  // A part of a platform's name, or the file of a driver: a library (.so) or an .icd file, which names one. Throws when
  // there is no such platform with a device.
  explicit Device(const std::string &platform);

  // Of an extension, images, or enough compute units for a sub-device, as Benchmark::needs names them.
  bool has(const std::string &feature) const;

  // Builds `folder`/`file`; `folder` is one of those below.
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

  std::string name; // the platform's
  cl::Device device;
  cl::Context context;
  cl::CommandQueue queue;
};

std::string readKernelFile(const std::string &folder, const std::string &file);

std::string ownKernels();                        // the folder of the benchmark's own kernel files
void preferKernels(std::string folder);          // takes those of the own kernel files from there that it has
std::string exampleKernels(const char *example); // the folder of an example

} // namespace bench
