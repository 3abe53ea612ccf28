// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Build options for mathematics: what they permit, and that infinities and NaNs that a program writes are preserved.
#include "each_item.hpp"

#include <bit>
#include <cmath>
#include <cstdlib>

using namespace lanecl::test;

namespace {

constexpr float kInfinity = HUGE_VALF;

const char *const kOptions[] = {"",
                                "-cl-mad-enable",
                                "-cl-no-signed-zeros",
                                "-cl-denorms-are-zero",
                                "-cl-unsafe-math-optimizations",
                                "-cl-finite-math-only",
                                "-cl-fast-relaxed-math",
                                "-cl-fast-relaxed-math -cl-finite-math-only -cl-denorms-are-zero -cl-mad-enable"};

Program buildWith(const Session &cl, const std::string &source, size_t width, const std::string &options) {
  return cl.build("#define KERNEL __attribute__((intel_reqd_sub_group_size(WIDTH))) kernel\n" + source,
                  "-cl-std=CL3.0 -DWIDTH=" + std::to_string(width) + " " + options);
}

template <class Check> void withEveryOption(const std::string &source, Check check) {
  const Session cl;
  for (size_t option = 0; option < std::size(kOptions); ++option) {
    const size_t width = 8 << option % 3;
    INFO("options '" << kOptions[option] << "', sub-groups of " << width);
    const Program program = buildWith(cl, source, width, kOptions[option]);
    check(cl, cl.kernel(program, "k"));
  }
}

bool same(float got, float want) {
  return got == want || (std::isnan(got) && std::isnan(want));
}

// Returns finite numbers with infinities and NaNs among them.
std::vector<float> mixedFloats(size_t count) {
  std::vector<float> values;
  for (int x : mixedInput(count))
    values.push_back(x % 10 == 3   ? kInfinity
                     : x % 10 == 5 ? -kInfinity
                     : x % 10 == 8 ? std::nanf("")
                                   : float(x - 50) / 8);
  return values;
}

} // namespace

TEST_CASE("infinities and NaN are stored, selected and compared under every option", "[math_options]") {
  constexpr size_t kItems = 3 * 50;
  const std::vector<float> input = mixedFloats(kItems);
  withEveryOption(
      R"(
KERNEL void k(global const float *in, global float *out, global int *classes) {
  size_t i = get_global_id(0);
  float x = in[i];
  float y = i % 3 == 0 ? INFINITY : i % 3 == 1 ? -INFINITY : NAN;
  if (isnan(x)) y = i % 2 ? -INFINITY : INFINITY;
  else if (x > 1e30f) y = NAN;
  out[i] = y;
  classes[i] = (isnan(x) != 0) + 2 * (isinf(x) != 0) + 4 * (isfinite(x) != 0) + 8 * (x == INFINITY) +
               16 * (x == -INFINITY) + 32 * (x != x);
})",
      [&](const Session &cl, const Kernel &kernel) {
        Memory in = cl.buffer(input), out = cl.bytes(kItems * 4), classes = cl.bytes(kItems * 4);
        cl.run(kernel, {kItems}, {50}, in, out, classes);
        const std::vector<float> got = cl.read<float>(out);
        const std::vector<int> kinds = cl.read<int>(classes);
        for (size_t i = 0; i < kItems; ++i) {
          const float x = input[i];
          const float own = i % 3 == 0 ? kInfinity : i % 3 == 1 ? -kInfinity : std::nanf("");
          const float want = std::isnan(x) ? (i % 2 ? -kInfinity : kInfinity) : x == kInfinity ? std::nanf("") : own;
          INFO("item " << i << ", input " << x);
          CHECK(same(got[i], want));
          CHECK(kinds[i] == (std::isnan(x) ? 33 : x == kInfinity ? 10 : x == -kInfinity ? 18 : 4));
        }
      });
}

TEST_CASE("a maximum that starts at minus infinity, and its vanishing exponentials, under every option",
          "[math_options]") {
  constexpr size_t kRows = 3 * 20, kColumns = 24;
  std::vector<float> scores(kRows * kColumns);
  for (size_t i = 0; i < scores.size(); ++i) // all elements of the first row count, and few of the last ones do
    scores[i] = i % kColumns > kColumns - 1 - i / kColumns % 22 ? -kInfinity : float(i * 7 % 13);
  withEveryOption(R"(
KERNEL void k(global const float *scores, global float *sums, global float *lowest) {
  size_t row = get_global_id(0);
  float largest = -INFINITY, smallest = INFINITY, sum = 0;
  for (int c = 0; c < 24; ++c) {
    float s = scores[row * 24 + c];
    largest = fmax(largest, s);
    smallest = s > -INFINITY && s < smallest ? s : smallest;
  }
  for (int c = 0; c < 24; ++c) sum += exp(scores[row * 24 + c] - largest);
  sums[row] = sum;
  lowest[row] = smallest;
})",
                  [&](const Session &cl, const Kernel &kernel) {
                    Memory in = cl.buffer(scores), sums = cl.bytes(kRows * 4), lowest = cl.bytes(kRows * 4);
                    cl.run(kernel, {kRows}, {20}, in, sums, lowest);
                    const std::vector<float> got = cl.read<float>(sums), least = cl.read<float>(lowest);
                    for (size_t row = 0; row < kRows; ++row) {
                      float largest = -kInfinity, smallest = kInfinity;
                      double sum = 0;
                      for (size_t c = 0; c < kColumns; ++c) {
                        largest = std::max(largest, scores[row * kColumns + c]);
                        if (scores[row * kColumns + c] > -kInfinity)
                          smallest = std::min(smallest, scores[row * kColumns + c]);
                      }
                      for (size_t c = 0; c < kColumns; ++c)
                        sum += std::exp(double(scores[row * kColumns + c]) - largest);
                      CHECK(std::fabs(got[row] - sum) < 1e-5 * sum);
                      CHECK(least[row] == smallest);
                    }
                  });
}

TEST_CASE("functions and sub-group functions return infinities and NaN under every option", "[math_options]") {
  constexpr size_t kItems = 2 * 32;
  withEveryOption(R"(
KERNEL void k(global const float *in, global float *out) {
  size_t i = get_global_id(0);
  float zero = in[i];
  float largest = sub_group_reduce_max(i % 5 == 2 ? zero + 1 : -INFINITY);
  float one = zero + 1, large = one * INFINITY;
  float results[12] = {log(zero), rsqrt(zero), sqrt(zero - 1), fmin(zero, NAN), 1 / zero, native_rsqrt(zero),
                      largest, sub_group_reduce_min(i % 2 ? INFINITY : zero),
                      1 / sqrt(zero), 1 / sqrt(large), one / large, -one / zero};
  for (int n = 0; n < 12; ++n) out[i * 12 + n] = results[n];
})",
                  [&](const Session &cl, const Kernel &kernel) {
                    Memory in = cl.buffer(std::vector<float>(kItems)), out = cl.bytes(kItems * 12 * 4);
                    cl.run(kernel, {kItems}, {32}, in, out);
                    const std::vector<float> got = cl.read<float>(out);
                    const float want[] = {-kInfinity, kInfinity, std::nanf(""), 0, kInfinity, kInfinity,
                                          1,          0,         kInfinity,     0, 0,         -kInfinity};
                    for (size_t i = 0; i < got.size(); ++i) {
                      INFO("result " << i % 12);
                      CHECK(same(got[i], want[i % 12]));
                    }
                  });
}

TEST_CASE("a multiplication and an addition are fused only if options permit it", "[math_options]") {
  const Session cl;
  const float a = 1 + 0x1p-12f, sum = -(1 + 0x1p-11f); // a * a + sum is 0 if the product is rounded, otherwise 2^-24
  for (const char *option : kOptions) {
    INFO("options '" << option << "'");
    const Program program = buildWith(cl, R"(
KERNEL void k(global float *p) {
  size_t i = get_global_id(0);
  float product = p[i] * p[i];
  p[i] = product + p[i + 32];
})",
                                      16, option);
    std::vector<float> values(64, a);
    std::fill(values.begin() + 32, values.end(), sum);
    Memory memory = cl.buffer(values);
    cl.run(cl.kernel(program, "k"), {32}, {32}, memory);
    const bool may_fuse = std::string(option).find("mad-enable") != std::string::npos ||
                          std::string(option).find("unsafe") != std::string::npos ||
                          std::string(option).find("relaxed") != std::string::npos;
    // When built for debugging, the product is a variable of its own.
    const bool rounds = !may_fuse || std::getenv("LANECL_DEBUG") != nullptr;
    CHECK(cl.read<float>(memory)[0] == (rounds ? 0.0f : 0x1p-24f));
  }
}

TEST_CASE("constants have single precision if an option says so", "[math_options]") {
  const Session cl;
  for (bool single : {false, true}) {
    const Program program =
        cl.build("kernel void k(global float *p) { p[0] = sizeof(1.0); p[1] = 1.0 / 3 == 1.0f / 3; }",
                 single ? "-cl-single-precision-constant" : "");
    Memory out = cl.buffer(std::vector<float>(2));
    cl.run(cl.kernel(program, "k"), {1}, {}, out);
    CHECK(cl.read<float>(out) == (single ? std::vector<float>{4, 1} : std::vector<float>{8, 0}));
  }
}

namespace {

// Checks the roots that functions and options compute, for all values.
void checkRoots(const Session &cl, const std::vector<float> &values, size_t width) {
  const Program program = buildWith(cl, R"(
KERNEL void k(global const float *in, global float *native, global float *half_, global float *scaled,
              global float *written) {
  size_t i = get_global_id(0);
  float x = in[i];
  native[i] = native_rsqrt(x);
  half_[i] = half_rsqrt(x);
  scaled[i] = 3 * native_rsqrt(x);
  written[i] = 1 / sqrt(x);
})",
                                    width, "-cl-fast-relaxed-math");
  Memory in = cl.buffer(values), results[4];
  for (Memory &result : results)
    result = cl.bytes(values.size() * sizeof(float));
  cl.run(cl.kernel(program, "k"), {values.size()}, {}, in, results[0], results[1], results[2], results[3]);
  for (size_t k = 0; k < std::size(results); ++k) {
    const std::vector<float> got = cl.read<float>(results[k]);
    for (size_t i = 0; i < values.size(); ++i) {
      const double want = (k == 2 ? 3 : 1) / std::sqrt(double(values[i]));
      const bool is_number = std::isfinite(want) && want != 0;
      const double error = k == 1 ? 0x1p-11 : 0x1p-20; // half_ functions promise only 11 bits
      if (is_number ? std::fabs(got[i] / want - 1) < error : same(got[i], float(want)))
        continue;
      // half_ functions may take a denormal for zero.
      if (k == 1 && values[i] > 0 && values[i] < 0x1p-126f && got[i] == kInfinity)
        continue;
      INFO("root " << k << " of " << values[i] << ", sub-groups of " << width);
      CHECK(got[i] == float(want));
      return;
    }
  }
}

} // namespace

TEST_CASE("approximate reciprocal roots are good to 20 bits, and right where there is nothing to approximate",
          "[math_options]") {
  const Session cl;
  std::vector<float> values{0.0f, -0.0f, kInfinity, -kInfinity, -1.0f, std::nanf(""), 0x1p-149f, 0x1.fffffep127f};
  for (uint32_t bits = 0x00000001; bits < 0x7f800000; bits += 0x00003457)
    values.push_back(std::bit_cast<float>(bits));
  for (const size_t width : widthsInTurn())
    checkRoots(cl, values, width);
}

TEST_CASE("approximate reciprocal roots of every denormal number", "[math_options]") {
  const Session cl;
  std::vector<float> values(1 << 23);
  for (uint32_t bits = 0; bits < values.size(); ++bits)
    values[bits] = std::bit_cast<float>(bits);
  for (const size_t width : widthsInTurn())
    checkRoots(cl, values, width);
}

TEST_CASE("denormal numbers are kept, and quotients and roots are rounded correctly", "[math_options]") {
  const Session cl;
  for (cl_device_info name : {CL_DEVICE_SINGLE_FP_CONFIG, CL_DEVICE_HALF_FP_CONFIG, CL_DEVICE_DOUBLE_FP_CONFIG}) {
    cl_device_fp_config config = 0;
    check(clGetDeviceInfo(cl.device, name, sizeof config, &config, nullptr), "clGetDeviceInfo");
    CHECK((config & CL_FP_DENORM) != 0);
    CHECK(((config & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) != 0) == (name == CL_DEVICE_SINGLE_FP_CONFIG));
  }
  std::vector<float> values;
  for (uint32_t bits = 1; bits < 0x7f800000; bits += 0x00123457)
    values.push_back(std::bit_cast<float>(bits));
  values.resize(values.size() / 32 * 32);
  for (const std::string options : {"", "-cl-fast-relaxed-math"}) {
    const Program program = buildWith(cl, R"(
KERNEL void k(global const float *in, global float *quotient, global float *root, global float *sum) {
  size_t i = get_global_id(0), j = get_global_size(0) - 1 - i;
  quotient[i] = in[i] / in[j];
  root[i] = sqrt(in[i]);
  sum[i] = in[i] - in[i / 2];
})",
                                      16, options + " -cl-fp32-correctly-rounded-divide-sqrt");
    Memory in = cl.buffer(values), quotient = cl.buffer(values), root = cl.buffer(values), sum = cl.buffer(values);
    cl.run(cl.kernel(program, "k"), {values.size()}, {32}, in, quotient, root, sum);
    const auto quotients = cl.read<float>(quotient), roots = cl.read<float>(root), sums = cl.read<float>(sum);
    for (size_t i = 0; i < values.size(); ++i) {
      CHECK(quotients[i] == values[i] / values[values.size() - 1 - i]);
      CHECK(roots[i] == std::sqrt(values[i]));
      CHECK(sums[i] == values[i] - values[i / 2]);
    }
  }
}

// OpenCL C leaves this undefined, but programs compute squares this way.
TEST_CASE("native_powr of a negative number is the power of its magnitude", "[math_options]") {
  const Session cl;
  constexpr size_t kItems = 67;
  std::vector<float> x(kItems), y(kItems);
  for (size_t i = 0; i < kItems; ++i) {
    x[i] = (float(i) - 33) * 0.375f;
    y[i] = i % 3 == 0 ? 2.0f : i % 3 == 1 ? 0.5f : 3.25f;
  }
  for (const char *options : {"", "-cl-fast-relaxed-math"}) {
    const Program program =
        cl.build("kernel void k(global const float *x, global const float *y, global float *scalars,\n"
                 "              global float4 *vectors) {\n"
                 "  size_t i = get_global_id(0);\n"
                 "  scalars[i] = native_powr(x[i], y[i]);\n"
                 "  vectors[i] = native_powr((float4)(x[i]), (float4)(y[i], 2, 1, 3));\n"
                 "}\n",
                 options);
    Memory xs = cl.buffer(x), ys = cl.buffer(y), scalars = cl.bytes(kItems * 4), vectors = cl.bytes(kItems * 16);
    cl.run(cl.kernel(program, "k"), {kItems}, {}, xs, ys, scalars, vectors);
    const std::vector<float> got = cl.read<float>(scalars), lanes = cl.read<float>(vectors);
    for (size_t i = 0; i < kItems; ++i) {
      INFO("native_powr(" << x[i] << ", " << y[i] << ")");
      const float want[] = {y[i], 2, 1, 3};
      CHECK(got[i] == Approx(std::pow(std::fabs(x[i]), y[i])).epsilon(1e-3).margin(1e-30));
      for (size_t c = 0; c < 4; ++c)
        CHECK(lanes[4 * i + c] == Approx(std::pow(std::fabs(x[i]), want[c])).epsilon(1e-3).margin(1e-30));
    }
  }
}
