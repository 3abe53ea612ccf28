// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Half precision in lanes: arithmetic, conversions, memory, arguments and some functions.
#include "each_item.hpp"
#include "support/images.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

using namespace lanecl::test;

namespace {

// Without contraction, so that the host can round where the device rounds.
const std::string kEnable = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n#pragma OPENCL FP_CONTRACT OFF\n";

} // namespace

TEST_CASE("half arithmetic rounds each operation", "[half]") {
  checkEachItem(kEnable + R"(
KERNEL void k(global const int *in, global int *out) {
  size_t i = get_global_linear_id();
  half x = (half)in[i] / 7.0h, y = x * x + 0.5h;
  half z = x < 5.0h ? y - x : fabs(-y);
  if (in[i] & 1) z = -z * 0.1h;
  out[i] = as_short(z) * 2 + (z >= x);
})",
                [](const Item &item) {
                  const _Float16 x = _Float16(float(item.x())) / _Float16(7), square = x * x,
                                 y = square + _Float16(0.5f);
                  _Float16 z = x < _Float16(5) ? _Float16(y - x) : y;
                  if (item.x() & 1)
                    z = _Float16(-z) * _Float16(0.1f);
                  return std::bit_cast<int16_t>(z) * 2 + (z >= x);
                });
}

// The product and the sum are exact in double.
TEST_CASE("half fma rounds once, in lanes and for uniform values", "[half]") {
  checkEachItem(kEnable + R"(
KERNEL void k(global const int *in, global int *out) {
  size_t i = get_global_linear_id();
  half x = (half)in[i] / 7.0h, y = (half)(in[i] % 13) * 0.3h, z = (half)(in[i] % 5) / 9.0h;
  half u = (half)in[0] / 3.0h;
  half4 v = fma((half4)(x, y, z, u), (half4)(y), (half4)(x, z, y, x));
  out[i] = as_short(fma(x, y, z)) + 3 * as_short(fma(u, u, 0.1h)) + 5 * as_short(v.x) + 7 * as_short(v.w);
})",
                [](const Item &item) {
                  const auto half = [](float value) { return _Float16(value); };
                  const auto fma = [](_Float16 a, _Float16 b, _Float16 c) {
                    return int(std::bit_cast<int16_t>(_Float16(double(a) * double(b) + double(c))));
                  };
                  const _Float16 x = half(item.x()) / half(7), y = half(item.x() % 13) * half(0.3f),
                                 z = half(item.x() % 5) / half(9), u = half(item.in[0]) / half(3);
                  return fma(x, y, z) + 3 * fma(u, u, half(0.1f)) + 5 * fma(x, y, x) + 7 * fma(u, y, x);
                });
}

TEST_CASE("conversions to and from half", "[half]") {
  checkEachItem(kEnable + R"(
KERNEL void k(global const int *in, global int *out) {
  size_t i = get_global_linear_id();
  float f = in[i] * 0.3f;
  half down = convert_half_rtz(f), near = convert_half(f), up = convert_half_rtp(f);
  out[i] = convert_int_rte(near) + (down <= near && near <= up) * 1000 + (down != up) * 2000 +
           (int)(double)near + (int)convert_float(down) + convert_char_sat(near * 100.0h);
})",
                [](const Item &item) {
                  const float f = item.x() * 0.3f;
                  const _Float16 near = _Float16(f);
                  const bool exact = float(near) == f;
                  const _Float16 down =
                      std::bit_cast<_Float16>(uint16_t(std::bit_cast<uint16_t>(near) - (float(near) > f)));
                  return int(std::nearbyint(float(near))) + 1000 + (exact ? 0 : 2000) + int(float(near)) +
                         int(float(down)) + int(std::min(127.0f, float(_Float16(near * _Float16(100)))));
                });
}

TEST_CASE("halfs in memory, private arrays and vectors", "[half]") {
  checkEachItem(kEnable + R"(
constant half kTable[4] = {1.0h, 2.0h, 4.0h, 8.0h};
KERNEL void k(global const int *in, global int *out) {
  local half shared[64];
  size_t i = get_global_linear_id(), l = get_local_linear_id();
  half own[4];
  for (int n = 0; n < 4; ++n) own[n] = (half)in[i] * kTable[n];
  shared[l] = own[in[i] & 3];
  barrier(CLK_LOCAL_MEM_FENCE);
  half4 v = vload4(0, own) + (half4)(1.0h, 2.0h, 3.0h, 4.0h);
  vstore4(v.wzyx, 0, own);
  out[i] = (int)(own[0] + own[1] * 0.5h + shared[l ^ l] + dot(v.xy, (half2)(1.0h, 1.0h)));
})",
                [](const Item &item) {
                  const auto first = float(item.in[item.global - item.local]);
                  const float shared = first * float(1 << (int(first) & 3)), x = float(item.x());
                  const _Float16 sum = _Float16(8 * x + 4) + _Float16((4 * x + 3) * 0.5f);
                  const _Float16 with_shared = sum + _Float16(shared);
                  return int(float(_Float16(with_shared + _Float16(x + 1 + 2 * x + 2))));
                });
}

// An array of shorts has the alignment of a short. The offset of one makes sure that it does not have more.
TEST_CASE("the aligned forms of half vectors accept any half of a private array", "[half]") {
  checkEachItem(kEnable + R"(
KERNEL void k(global const int *in, global int *out) {
  size_t i = get_global_linear_id();
  volatile private short own[34], same[34];
  for (int n = 0; n < 34; ++n) own[n] = same[n] = 0;
  private half *p = (private half *)own + 1, *q = (private half *)same + 1;
  vstorea_half16((float16)(in[i]), 0, p);
  vstorea_half16((float16)(3.0f), 1, q);
  half *any = in[0] == 0x7fffffff ? q : p;
  vstorea_half8((float8)(in[i] + 1), 2, any);
  out[i] = (int)(vloada_half16(0, p).s5 + vloada_half8(2, any).s7 * 4.0f + vloada_half4(4, q).s1) + own[0] + own[33];
})",
                [](const Item &item) { return item.x() + 4 * (item.x() + 1) + 3; });
}

TEST_CASE("half functions and an argument by value", "[half]") {
  const Session cl;
  for (const size_t width : widthsInTurn()) {
    const Program program = buildForWidth(cl, kEnable + R"(
KERNEL void k(global const half *in, global half *out, half a, half3 b) {
  size_t i = get_global_id(0), n = get_global_size(0);
  half x = in[i];
  out[i] = sqrt(x); out[i + n] = fma(x, a, b.z); out[i + 2 * n] = fmin(x, a); out[i + 3 * n] = floor(x * b.x);
  out[i + 4 * n] = exp2(x); out[i + 5 * n] = x > a ? copysign(x, b.y) : (half)NAN;
})",
                                          width);
    std::vector<_Float16> in(width + 5), want;
    for (size_t i = 0; i < in.size(); ++i)
      in[i] = _Float16(0.25f * float(i));
    const _Float16 a = 3.5f16, b[4] = {1.5f16, -2.0f16, 0.125f16, 0.0f16};
    const auto each = [&](auto f) {
      for (_Float16 x : in)
        want.push_back(_Float16(f(double(x))));
    };
    each([](double x) { return std::sqrt(x); });
    each([&](double x) { return std::fma(x, 3.5, 0.125); });
    each([](double x) { return std::min(x, 3.5); });
    each([](double x) { return std::floor(double(_Float16(x * 1.5))); });
    each([](double x) { return std::exp2(x); });
    each([](double x) { return x > 3.5 ? -x : NAN; });
    Memory source = cl.buffer(in), out = cl.buffer(want);
    struct Half3 {
      _Float16 values[4];
    } vector{{b[0], b[1], b[2], b[3]}};
    cl.run(cl.kernel(program, "k"), {in.size()}, {in.size()}, source, out, a, vector);
    const auto got = cl.read<_Float16>(out);
    for (size_t i = 0; i < want.size(); ++i) {
      INFO("width " << width << ", result " << i << ": " << float(got[i]) << ", expected " << float(want[i]));
      const bool is_exp = i / in.size() == 4;
      const int distance = std::abs(std::bit_cast<int16_t>(got[i]) - std::bit_cast<int16_t>(want[i]));
      CHECK(((got[i] != got[i] && want[i] != want[i]) || distance <= (is_exp ? 2 : 0)));
    }
  }
}

TEST_CASE("half colors of images", "[half]") {
  const Session cl;
  const Extent extent{37, 5, 1};
  for (const size_t width : widthsInTurn()) {
    const Program program = buildForWidth(cl, kEnable + R"(
constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
KERNEL void k(read_only image2d_t in, write_only image2d_t out, global half *read) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  half4 color = read_imageh(in, nearest, at);
  vstore4(color, at.y * get_global_size(0) + at.x, read);
  write_imageh(out, at, color * 2.0h);
})",
                                          width);
    std::vector<cl_uchar> in(extent[0] * extent[1] * 4);
    std::vector<_Float16> decoded, doubled;
    for (size_t i = 0; i < in.size(); ++i) {
      in[i] = cl_uchar(i * 37);
      decoded.push_back(_Float16(float(in[i]) / 255.0f));
      doubled.push_back(decoded.back() * _Float16(2));
    }
    Memory source = makeImage(cl, {CL_RGBA, CL_UNORM_INT8}, CL_MEM_OBJECT_IMAGE2D, extent, in);
    Memory target = makeImage(cl, {CL_RGBA, CL_HALF_FLOAT}, describeImage(CL_MEM_OBJECT_IMAGE2D, extent));
    Memory read = cl.buffer(decoded);
    cl.run(cl.kernel(program, "k"), {extent[0], extent[1]}, {extent[0], 1}, source, target, read);
    CHECK(cl.read<_Float16>(read) == decoded);
    CHECK(readImage<_Float16>(cl, target, extent) == doubled);
  }
}

namespace {

const std::string kLoop = kEnable + R"(
KERNEL void k(global const int *in, global int *out) {
  size_t i = get_global_linear_id();
  half x = (half)in[i] / 7.0h, sum = 0.1h, product = 1.0h;
  for (int n = 0; n < in[i] % 16; ++n) {
    half step = x * product;
    sum = in[i] & 1 ? sum + step : sum - step;
    product = product * 0.7h;
  }
  out[i] = as_short(sum);
})";

// Computes in float or in double and rounds each result to T.
template <class T> T loop(int x) {
  const T scaled = T(x) / T(7);
  T sum = T(_Float16(0.1f)), product = T(1);
  for (int n = 0; n < x % 16; ++n) {
    const T step = scaled * product;
    sum = x & 1 ? T(sum + step) : T(sum - step);
    product = product * T(_Float16(0.7f));
  }
  return sum;
}

} // namespace

TEST_CASE("loops carry rounded halves", "[half]") {
  checkEachItem(kLoop, [](const Item &item) { return int(std::bit_cast<int16_t>(loop<_Float16>(item.x()))); });
}

// The error is at most what sixteen roundings by half a unit lose.
TEST_CASE("relaxed loops are at least as exact as rounded ones", "[half]") {
  const Session cl;
  for (const size_t width : widthsInTurn()) {
    const Program program = buildForWidth(cl, kLoop, width, "CL3.0 -cl-fast-relaxed-math");
    const std::vector<int> input = mixedInput(192);
    Memory in = cl.buffer(input), out = cl.buffer(std::vector<int>(input.size(), -1));
    cl.run(cl.kernel(program, "k"), {input.size()}, {64}, in, out);
    const std::vector<int> results = cl.read<int>(out);
    for (size_t i = 0; i < input.size(); ++i) {
      const double got = double(std::bit_cast<_Float16>(int16_t(results[i]))), want = loop<double>(input[i]);
      INFO("sub-groups of " << width << ", input " << input[i]);
      CHECK(std::abs(got - want) <= 16 * std::ldexp(std::max(4.0, std::abs(want)), -11));
    }
  }
}

// These integers are exact in half and in float.
TEST_CASE("relaxed sums in private arrays", "[half]") {
  checkEachItem(
      kEnable + R"(
KERNEL void k(global const int *in, global int *out) {
  size_t i = get_global_linear_id();
  half sums[9] = {}, x = in[i] % 11;
  for (int n = 0; n < 40; ++n) {
    int at = (in[0] + n * 5) % 9;
    sums[at] = mad(x, (half)(n % 4), sums[at]);
  }
  sums[in[i] % 9] += 3.0h;
  half8 first = vload8(0, sums);
  ushort8 bits = as_ushort8(vload8(0, sums + 1));
  out[i] = convert_int(first.s0 + as_half(bits.s4) * 2.0h) + 5 * convert_int(sums[in[1] % 9]) + convert_int(sums[in[i] % 5]);
})",
      [](const Item &item) {
        int sums[9] = {};
        for (int n = 0; n < 40; ++n)
          sums[(item.in[0] + n * 5) % 9] += item.x() % 11 * (n % 4);
        sums[item.x() % 9] += 3;
        return sums[0] + sums[5] * 2 + 5 * sums[item.in[1] % 9] + sums[item.x() % 5];
      },
      {{64}, {37}, {5}, {1}}, "CL3.0 -cl-fast-relaxed-math");
}

TEST_CASE("relaxed programs round where they convert, exchange or inspect bits", "[half]") {
  checkEachItem(
      kEnable + R"(
KERNEL void k(global const int *in, global int *out) {
  size_t i = get_global_linear_id();
  half x = in[i] + 2000, y = in[i] % 3;
  half sum = mad(y, 2.0h, x);
  float converted = convert_half(in[i] + 2000.0f);
  float cast = (half)(in[i] * 41.0f);
  half first = sub_group_broadcast(mad(y, 3.0h, 1.0h), 0);
  out[i] = as_short((half)(x + y)) + 3 * (int)converted + 5 * (int)cast + 7 * (int)first + 11 * as_short(sum);
})",
      [](const Item &item) {
        const auto bits = [](_Float16 value) { return int(std::bit_cast<int16_t>(value)); };
        const _Float16 x = _Float16(float(item.x() + 2000));
        const int y = item.x() % 3;
        return bits(_Float16(float(x) + float(y))) + 3 * int(float(x)) + 5 * int(float(_Float16(item.x() * 41.0f))) +
               7 * (item.lane(0) % 3 * 3 + 1) + 11 * bits(_Float16(float(x) + 2.0f * float(y)));
      },
      {{64}, {37}, {5}, {1}}, "CL3.0 -cl-fast-relaxed-math");
}

TEST_CASE("halves, shorts and bytes at addresses that differ by lane", "[half]") {
  checkEachItem(kEnable + R"(
KERNEL void k(global const int *in, global int *out) {
  size_t i = get_global_linear_id();
  int x = in[i] % 60;
  global const half *halves = (global const half *)in;
  global const uchar *bytes = (global const uchar *)in + 1;
  global const short *rows = (global const short *)in;
  int sum = as_short(halves[x]) + 2 * bytes[x] + 3 * rows[x * 2 % 20 + x % 7] + 5 * bytes[x * 2 % 18];
  if (x % 3 == 1) sum += 7 * as_short(halves[x / 2 + 1]);
  out[i] = sum + (int)(vload_half(x, halves) * 16777216.0f);
})",
                [](const Item &item) {
                  const auto *bytes = reinterpret_cast<const unsigned char *>(item.in.data());
                  const auto half = [&](int index) {
                    int16_t value = 0;
                    std::memcpy(&value, bytes + 2 * index, sizeof value);
                    return value;
                  };
                  const int x = item.x() % 60;
                  const int sum = half(x) + 2 * bytes[1 + x] + 3 * half(x * 2 % 20 + x % 7) + 5 * bytes[1 + x * 2 % 18];
                  return sum + (x % 3 == 1 ? 7 * half(x / 2 + 1) : 0) +
                         int(float(std::bit_cast<_Float16>(half(x))) * 16777216.0f);
                },
                {{64}, {37}});
}
