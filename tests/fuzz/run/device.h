// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Runs cases through the OpenCL loader, on any device.
#pragma once

#include "run/case.h"
#include "run/guarded_memory.h"
#include "run/spirv.h"

#include "support/handles.hpp"

namespace lanecl::fuzz {

// NotTranslated: Clang makes no SPIR-V from the program, or wrong SPIR-V.
enum class Verdict { Passed, Wrong, BuildFailed, LaunchFailed, Crashed, Hung, NotTranslated };
std::string nameOf(Verdict verdict);

// Something that went wrong with a case.
struct Finding {
  Verdict verdict = Verdict::Passed;
  std::string kernel{}; // empty if the finding concerns the whole program
  std::string text{};   // expected and found values, a build log, or an error
};

// A device and a queue on it, which runs cases and compares what they leave in memory.
class Device {
public:
  // Uses the first device of the first platform whose name contains `platform`. Throws if there is none.
  explicit Device(const std::string &platform);
  std::vector<Finding> run(const Case &test) const; // returns nothing if all is right
  std::string name() const;

private:
  cl_device_id device = nullptr;
  test::Context context;
  test::CommandQueue queue;

  std::vector<Finding> run(const test::Program &program, const Case &test) const;
  std::vector<Finding> run(const Words &module, const Case &test) const;
  test::Program create(const std::string &source) const;
  std::optional<std::string> build(const test::Program &program, const std::string &options) const;
  std::string launch(const test::Program &program, const CaseLaunch &launch) const;
  void setArgument(cl_kernel kernel, cl_uint i, const Argument &argument, std::vector<GuardedMemory> &memory,
                   std::vector<test::Memory> &buffers) const;
  size_t alignment() const;
  unsigned subGroupSize(cl_kernel kernel, const NDRange &range) const;
  void fetch(const Argument &argument, const test::Memory &memory, std::vector<unsigned char> &bytes) const;
  std::string differences(const CaseLaunch &launch, unsigned width, const std::vector<test::Memory> &buffers) const;
};

} // namespace lanecl::fuzz
