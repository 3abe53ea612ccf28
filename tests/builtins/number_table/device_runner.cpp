// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The functions as kernels, at sub-group sizes in turn. Lanes keep components apart, so that one size of vectors shows
// what there is; LANECL_TEST_COMPLETE=1 takes them all.
#include "runner.hpp"

#include "support/selection.hpp"
#include "support/session.hpp"

namespace lanecl::test {
namespace {

class DeviceRunner : public Runner {
public:
  void build(const std::vector<TableFunction> &functions) override {
    std::string source = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n";
    unsigned number = ++builds;
    for (const TableFunction &function : functions)
      source += "__attribute__((intel_reqd_sub_group_size(" + std::to_string(8 << number++ % 3) + "))) kernel void k_" +
                function.name + parametersOf(function) +
                ") {\n  size_t i = get_global_id(0), count = get_global_size(0);\n" + function.body + "}\n";
    program = cl.build(source, "-cl-std=CL3.0");
  }

  Bytes run(const std::string &name, size_t items, const std::vector<Bytes> &in, size_t output_bytes) override {
    Memory out = cl.bytes(output_bytes);
    const Kernel kernel = cl.kernel(program, "k_" + name);
    if (in.size() == 1)
      cl.run(kernel, {items}, {}, cl.buffer(in[0]), out);
    else
      cl.run(kernel, {items}, {}, cl.buffer(in.at(0)), cl.buffer(in.at(1)), cl.buffer(in.at(2)), out);
    return cl.read<uint8_t>(out);
  }

  std::vector<unsigned> widths() const override {
    if (runsEverything())
      return {1, 2, 3, 4, 8, 16};
    return {1, 3};
  }

  std::vector<unsigned> widthsOf(size_t number) const override {
    return runsEverything() ? widths() : std::vector<unsigned>{number % 2 == 0 ? 1u : 3u};
  }

private:
  Session cl;
  Program program;
  unsigned builds = 0;
};

} // namespace

std::unique_ptr<Runner> makeRunner() {
  return std::make_unique<DeviceRunner>();
}

} // namespace lanecl::test
