// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Sign of every floating-point type: zeros keep their sign, and NaNs of either sign give +0.
#include "support/session.hpp"

#include <catch2/catch.hpp>

#include <cstdint>

using namespace lanecl::test;

namespace {

constexpr size_t kValues = 16 * 3 * 16; // whole vectors of every size, in partial sub-groups of every size

// The bits of numbers, zeros, infinities and NaNs of both signs, and the results of sign for them.
template <class Bits> struct Cases {
  explicit Cases(Bits one, Bits infinity) {
    const Bits sign = Bits(Bits(1) << (sizeof(Bits) * 8 - 1)), greatest = Bits(infinity - 1);
    const Bits quiet_nan = Bits(infinity | (infinity >> 1)), least_nan = Bits(infinity + 1),
               greatest_nan = Bits(sign - 1);
    const std::vector<Bits> magnitudes{0, 1, one, greatest, infinity, least_nan, quiet_nan, greatest_nan};
    for (size_t i = 0; i < kValues; ++i) {
      const Bits magnitude = magnitudes[i % magnitudes.size()], negative = i % 3 == 1 ? sign : Bits(0);
      given.push_back(magnitude | negative);
      wanted.push_back(magnitude > infinity ? Bits(0) : Bits((magnitude == 0 ? 0 : one) | negative));
    }
  }
  std::vector<Bits> given, wanted;
};

template <class Bits> void check(const Session &cl, const std::string &type, const Cases<Bits> &cases) {
  for (const unsigned width : {8, 16, 32})
    for (const unsigned components : {1, 2, 3, 4, 8, 16}) {
      const std::string n = components == 1 ? "" : std::to_string(components);
      const std::string access =
          components == 1 ? "out[i] = sign(in[i]);" : "vstore" + n + "(sign(vload" + n + "(i, in)), i, out);";
      const Program program =
          cl.build("#pragma OPENCL EXTENSION cl_khr_fp16 : enable\nkernel __attribute__((intel_reqd_sub_group_size(" +
                       std::to_string(width) + ")))\nvoid k(global const " + type + " *in, global " + type +
                       " *out) { size_t i = get_global_id(0); " + access + " }",
                   "-cl-std=CL3.0");
      Memory in = cl.buffer(cases.given), out = cl.bytes(kValues * sizeof(Bits));
      cl.run(cl.kernel(program, "k"), {kValues / components}, {12}, in, out);
      INFO(type << n << ", width " << width);
      CHECK(cl.read<Bits>(out) == cases.wanted);
    }
}

} // namespace

TEST_CASE("sign of zeros, infinities and NaNs", "[sign]") {
  Session cl;
  check(cl, "half", Cases<uint16_t>(0x3c00, 0x7c00));
  check(cl, "float", Cases<uint32_t>(0x3f800000, 0x7f800000));
  check(cl, "double", Cases<uint64_t>(0x3ff0000000000000, 0x7ff0000000000000));
}
