// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// cl_khr_integer_dot_product and cl_intel_bfloat16_conversions, against the host.
#include "support/bfloat16.hpp"
#include "support/session.hpp"

#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

using namespace lanecl::test;

namespace {

// Random words and the extremes of their bytes.
std::vector<uint32_t> words(unsigned seed) {
  std::mt19937 random(seed);
  std::vector<uint32_t> result;
  for (uint32_t extreme : {0u, ~0u, 0x7f7f7f7fu, 0x80808080u, 0x80ff7f01u})
    for (int i = 0; i < 5; ++i)
      result.push_back(extreme);
  std::rotate(result.begin(), result.begin() + 5 * (seed % 2) + seed % 3, result.end());
  while (result.size() < 200)
    result.push_back(uint32_t(random()));
  return result;
}

int64_t dotOnHost(uint32_t x, uint32_t y, bool x_signed, bool y_signed) {
  int64_t sum = 0;
  for (int byte = 0; byte < 4; ++byte) {
    const auto part = [byte](uint32_t word, bool is_signed) -> int64_t {
      const auto bits = uint8_t(word >> 8 * byte);
      return is_signed ? int64_t(int8_t(bits)) : int64_t(bits);
    };
    sum += part(x, x_signed) * part(y, y_signed);
  }
  return sum;
}

void checkDot(const Session &cl, bool x_signed, bool y_signed) {
  const bool is_signed = x_signed || y_signed;
  const std::string a = x_signed ? "char4" : "uchar4", b = y_signed ? "char4" : "uchar4",
                    r = is_signed ? "int" : "uint",
                    name = std::string(x_signed ? "s" : "u") + (y_signed ? "s" : "u") + "_" + r;
  const Program program =
      cl.build("kernel void k(global const uint *xs, global const uint *ys, global const " + r + " *sums, global " + r +
               " *out) {\n  size_t i = get_global_id(0), n = " + "get_global_size(0); uint x = xs[i], y = ys[i];\n" +
               "  out[i] = dot(as_" + a + "(x), as_" + b + "(y));\n  out[i + n] = dot_acc_sat(as_" + a + "(x), as_" +
               b + "(y), sums[i]);\n  out[i + 2 * n] = dot_4x8packed_" + name +
               "(x, y);\n  out[i + 3 * n] = dot_acc_sat_4x8packed_" + name + "(x, y, sums[i]);\n}");
  const std::vector<uint32_t> x = words(1), y = words(2);
  std::vector<uint32_t> sums = words(3), want;
  for (size_t i = 0; i < sums.size(); i += 3) // near both ends, where sums saturate
    sums[i] = uint32_t(is_signed ? (i % 2 ? INT32_MAX : INT32_MIN) : i % 2 ? UINT32_MAX : 0) + (i % 2 ? -100 : 100);
  for (bool accumulate : {false, true, false, true})
    for (size_t i = 0; i < x.size(); ++i) {
      const int64_t sum = !accumulate ? 0 : is_signed ? int64_t(int32_t(sums[i])) : int64_t(sums[i]);
      const int64_t low = is_signed ? INT32_MIN : 0, high = is_signed ? INT32_MAX : int64_t(UINT32_MAX);
      want.push_back(uint32_t(std::clamp(sum + dotOnHost(x[i], y[i], x_signed, y_signed), low, high)));
    }
  Memory xs = cl.buffer(x), ys = cl.buffer(y), accumulators = cl.buffer(sums), out = cl.buffer(want);
  cl.write(out, std::vector<uint32_t>(want.size(), 0xdeadbeef));
  cl.run(cl.kernel(program, "k"), {x.size()}, {}, xs, ys, accumulators, out);
  INFO(name);
  CHECK(cl.read<uint32_t>(out) == want);
}

} // namespace

TEST_CASE("dot products of four bytes", "[packed_numbers]") {
  const Session cl;
  for (bool x_signed : {false, true})
    for (bool y_signed : {false, true})
      checkDot(cl, x_signed, y_signed);
}

TEST_CASE("the device's word on dot products", "[packed_numbers]") {
  cl_device_integer_dot_product_capabilities_khr capabilities = 0;
  const auto ask = [](cl_device_info name, auto &value) {
    size_t size = 0;
    CHECK(clGetDeviceInfo(laneclDevice(), name, sizeof value, &value, &size) == CL_SUCCESS);
    CHECK(size == sizeof value);
  };
  ask(CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES_KHR, capabilities);
  CHECK(capabilities ==
        (CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_KHR | CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_PACKED_KHR));
  cl_device_integer_dot_product_acceleration_properties_khr properties;
  ask(CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT_KHR, properties);
  CHECK(properties.signed_accelerated == CL_FALSE);
  ask(CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_4x8BIT_PACKED_KHR, properties);
  CHECK(properties.accumulating_saturating_signed_accelerated == CL_FALSE);
}

TEST_CASE("dot products in OpenCL C 1.2", "[packed_numbers]") {
  CHECK_NOTHROW(Session().build("kernel void k(global int *p) { *p = dot_acc_sat_4x8packed_us_int(*p, 3, 4); }",
                                "-cl-std=CL1.2"));
}

TEST_CASE("conversions to bfloat16 and back", "[packed_numbers]") {
  const Session cl;
  std::vector<float> x;
  std::mt19937 random(5);
  for (uint32_t bits : {0u, 0x80000000u, 0x3f808000u, 0x3f818000u, 0x3f808001u, 0x7f7fffffu, 0x7f7f8000u, 0x7f800000u,
                        0xff800000u, 0x7fc00000u, 0x7f800001u, 0xffffffffu, 0x00000001u, 0x00008000u, 0x80018000u})
    x.push_back(std::bit_cast<float>(bits));
  while (x.size() < 48 * 8)
    x.push_back(std::bit_cast<float>(uint32_t(random())));
  std::vector<uint16_t> narrow;
  std::vector<uint32_t> wide; // as bits: there are NaNs
  for (float value : x) {
    narrow.push_back(toBfloat16(value));
    wide.push_back(uint32_t(narrow.back()) << 16);
  }
  for (const std::string n : {"", "2", "3", "4", "8", "16"}) {
    const std::string load = n.empty() ? "x[i]" : "vload" + n + "(i, x)";
    const auto store = [&](const std::string &value, const std::string &to) {
      return n.empty() ? to + "[i] = " + value + ";" : "vstore" + n + "(" + value + ", i, " + to + ");";
    };
    const Program program = cl.build(
        "kernel void k(global const float *x, global ushort *narrow, global uint *wide) {\n"
        "  size_t i = get_global_id(0);\n  ushort" +
        n + " b = intel_convert_bfloat16" + n + "_as_ushort" + n + "(" + load + ");\n  " + store("b", "narrow") +
        "\n  " + store("as_uint" + n + "(intel_convert_as_bfloat16" + n + "_float" + n + "(b))", "wide") + "\n}");
    Memory in = cl.buffer(x), to_narrow = cl.bytes(x.size() * 2), to_wide = cl.bytes(x.size() * 4);
    cl.run(cl.kernel(program, "k"), {x.size() / (n.empty() ? 1 : std::stoul(n))}, {}, in, to_narrow, to_wide);
    INFO("components: " << n);
    CHECK(cl.read<uint16_t>(to_narrow) == narrow);
    CHECK(cl.read<uint32_t>(to_wide) == wide);
  }
}
