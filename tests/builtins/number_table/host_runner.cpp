// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The library's functions on the host, which compiles every width quickly.
#include "../host_library.h"
#include "runner.hpp"

#include <catch2/catch.hpp>

namespace lanecl::test {
namespace {

class HostRunner : public Runner {
public:
  void build(const std::vector<TableFunction> &functions) override {
    std::string source = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n";
    for (const TableFunction &function : functions)
      source += "void " + function.name + parametersOf(function) +
                ", ulong count) {\n  for (ulong i = 0; i < count; ++i) {\n" + function.body + "  }\n}\n";
    library = std::make_unique<HostLibrary>(source);
  }

  Bytes run(const std::string &name, size_t items, const std::vector<Bytes> &in, size_t output_bytes) override {
    Bytes out(output_bytes);
    if (in.size() == 1)
      library->function<void(const void *, void *, uint64_t)>(name)(in[0].data(), out.data(), items);
    else
      library->function<void(const void *, const void *, const void *, void *, uint64_t)>(name)(
          in.at(0).data(), in.at(1).data(), in.at(2).data(), out.data(), items);
    return out;
  }

  std::vector<unsigned> widths() const override { return {1, 2, 3, 4, 8, 16}; }

private:
  std::unique_ptr<HostLibrary> library;
};

} // namespace

std::unique_ptr<Runner> makeRunner() {
  return std::make_unique<HostRunner>();
}

} // namespace lanecl::test
