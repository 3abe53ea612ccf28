// One expression over the lanes of a sub-group, and what each lane should get.
#pragma once

#include "support/session.hpp"

#include <catch2/catch.hpp>
#include <functional>
#include <string>
#include <vector>

namespace lanecl::test {

// What the device does not list it does not declare either; such functions are tested from the day it does.
inline bool offers(const std::vector<std::string> &extensions) {
  size_t size = 0;
  check(clGetDeviceInfo(laneclDevice(), CL_DEVICE_EXTENSIONS, 0, nullptr, &size), "clGetDeviceInfo");
  std::string list(size, ' ');
  check(clGetDeviceInfo(laneclDevice(), CL_DEVICE_EXTENSIONS, size, list.data(), nullptr), "clGetDeviceInfo");
  for (const std::string &name : extensions)
    if (list.find(name) == std::string::npos) {
      WARN("the device does not offer " << name);
      return false;
    }
  return true;
}

template <class T> struct LaneCase {
  std::string expression; // of `x`, the lane's value, and `lane`, its number
  // The values of the lanes that exist, one lane's number and the sub-group's width.
  std::function<T(const std::vector<T> &values, size_t lane, size_t width)> expected;
};

// Runs all cases of a type at one width, in full sub-groups and in a work-group whose last one is partial.
template <class T>
void checkLanes(const std::string &type, const std::vector<LaneCase<T>> &cases, const std::vector<T> &pattern,
                size_t width, const std::string &declarations = "") {
  std::string source = declarations;
  for (size_t i = 0; i < cases.size(); ++i)
    source += "__attribute__((intel_reqd_sub_group_size(" + std::to_string(width) + "))) kernel void k" +
              std::to_string(i) + "(global const " + type + " *in, global " + type + " *out) {\n" +
              "  size_t i = get_global_id(0); uint lane = get_sub_group_local_id(); " + type + " x = in[i];\n" +
              "  out[i] = " + cases[i].expression + ";\n}\n";
  Session cl;
  Program program = cl.build(source, "-cl-std=CL3.0");
  for (size_t local : {2 * width, width + 3}) {
    std::vector<T> input(3 * local);
    for (size_t i = 0; i < input.size(); ++i)
      input[i] = pattern[i * 7 % pattern.size()];
    Memory in = cl.buffer(input), out = cl.buffer(input);
    for (size_t i = 0; i < cases.size(); ++i) {
      cl.run(cl.kernel(program, "k" + std::to_string(i)), {input.size()}, {local}, in, out);
      const std::vector<T> got = cl.read<T>(out);
      std::vector<T> want;
      for (size_t group = 0; group < 3; ++group)
        for (size_t first = 0; first < local; first += width) {
          const size_t begin = group * local + first, end = group * local + std::min(first + width, local);
          const std::vector<T> values(input.begin() + begin, input.begin() + end);
          for (size_t lane = 0; lane < values.size(); ++lane)
            want.push_back(cases[i].expected(values, lane, width));
        }
      INFO(type << ": " << cases[i].expression << ", width " << width << ", local size " << local);
      CHECK(got == want);
    }
  }
}

} // namespace lanecl::test
