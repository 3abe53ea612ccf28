// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Clamp of every floating-point type is fmin(fmax(x, low), high). For a NaN it is the lower limit, and a limit that is
// NaN is ignored.
#include "support/session.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace lanecl::test;

namespace {

constexpr size_t kValues = 16 * 3 * 16; // whole vectors of every size, in partial sub-groups of every size

// Numbers that half can represent, too, with limits for each. `wanted` is what they become between those limits and
// between 0 and 1.
struct Cases {
  Cases() {
    const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
    const std::vector<float> numbers{nan, 0.5f, -2.0f, infinity, -nan, 65504.0f, -infinity};
    const std::vector<std::pair<float, float>> limits{{-1.0f, 1.0f}, {0.25f, infinity}, {-infinity, -1.5f},
                                                      {nan, 1.0f},   {1.0f, nan},       {nan, nan}};
    for (size_t i = 0; i < kValues; ++i) {
      const auto [least, greatest] = limits[i / numbers.size() % limits.size()];
      x.push_back(numbers[i % numbers.size()]);
      low.push_back(least);
      high.push_back(greatest);
      between_limits.push_back(std::fmin(std::fmax(x[i], least), greatest));
      between_0_and_1.push_back(std::fmin(std::fmax(x[i], 0.0f), 1.0f));
    }
  }
  std::vector<float> x, low, high, between_limits, between_0_and_1;
};

std::string source(const std::string &type, unsigned components, unsigned width) {
  const std::string n = components == 1 ? "" : std::to_string(components);
  const auto load = [&](const std::string &from) {
    return "convert_" + type + n + "(" + (n.empty() ? from + "[i]" : "vload" + n + "(i, " + from + ")") + ")";
  };
  const auto store = [&](const std::string &value, const std::string &to) {
    const std::string result = "convert_float" + n + "(" + value + ")";
    return n.empty() ? to + "[i] = " + result + ";" : "vstore" + n + "(" + result + ", i, " + to + ");";
  };
  return "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
         "kernel __attribute__((intel_reqd_sub_group_size(" +
         std::to_string(width) +
         ")))\nvoid k(global const float *x, global const float *low, global const float *high, global float "
         "*limited,\n"
         "  global float *constant_limits) {\n size_t i = get_global_id(0);\n " +
         store("clamp(" + load("x") + ", " + load("low") + ", " + load("high") + ")", "limited") + "\n " +
         store("clamp(" + load("x") + ", (" + type + ")0, (" + type + ")1)", "constant_limits") + "\n}";
}

// A NaN equals a NaN, and a zero equals a zero of either sign.
bool areEqual(const std::vector<float> &results, const std::vector<float> &wanted) {
  return std::equal(results.begin(), results.end(), wanted.begin(), wanted.end(),
                    [](float a, float b) { return a == b || (std::isnan(a) && std::isnan(b)); });
}

} // namespace

TEST_CASE("clamp of NaN, and with limits that are NaN", "[clamp]") {
  Session cl;
  const Cases cases;
  for (const std::string type : {"half", "float", "double"})
    for (const unsigned width : {8, 16, 32})
      for (const unsigned components : {1, 2, 3, 4, 8, 16}) {
        const Program program = cl.build(source(type, components, width), "-cl-std=CL3.0");
        Memory x = cl.buffer(cases.x), low = cl.buffer(cases.low), high = cl.buffer(cases.high);
        Memory limited = cl.bytes(kValues * sizeof(float)), constant_limits = cl.bytes(kValues * sizeof(float));
        cl.run(cl.kernel(program, "k"), {kValues / components}, {12}, x, low, high, limited, constant_limits);
        INFO(type << components << ", width " << width);
        CHECK(areEqual(cl.read<float>(limited), cases.between_limits));
        CHECK(areEqual(cl.read<float>(constant_limits), cases.between_0_and_1));
      }
}
