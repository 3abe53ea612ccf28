// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What LLVM's code generator or libclc gets wrong, or gives up on, unless the compiler works around it.
#include "each_item.hpp"

#include <catch2/catch.hpp>

#include <map>
#include <numeric>

using namespace lanecl::test;

namespace {

// Debugging sets the optimization of all kernels, and each kind of debugging is a run of its own.
std::vector<std::string> optimizations() {
  if (isDebugged())
    return {""};
  return {"", "-cl-opt-disable"};
}

struct Division {
  int factor, divisor;
};

// Divides products of a small type, which are computed in a large one. Without optimization nothing simplifies them
// first.
template <class T> void checkDivisions(const std::string &small, const std::string &large, const std::string &options) {
  const Session cl;
  constexpr size_t kItems = 100;
  std::vector<T> in;
  for (size_t i = 0; i < kItems; ++i)
    in.push_back(T(i * 7919 + 13));
  for (const size_t width : widthsInTurn())
    for (const Division d : {Division{8, -2}, {7, 2}, {1, 2}, {-5, 4}, {100, -8}, {3, 3}}) {
      const std::string source = "__attribute__((intel_reqd_sub_group_size(WIDTH))) kernel void k(global const " +
                                 small + " *in, global long *out) {\n  size_t i = get_global_id(0);\n  out[i] = (" +
                                 large + ")in[i] * (" + large + ")FACTOR / (" + large + ")DIVISOR;\n}";
      const Program program =
          cl.build(source, options + " -DWIDTH=" + std::to_string(width) + " -DFACTOR=" + std::to_string(d.factor) +
                               " -DDIVISOR=" + std::to_string(d.divisor));
      Memory values = cl.buffer(in), out = cl.bytes(kItems * sizeof(int64_t));
      cl.run(cl.kernel(program, "k"), {kItems}, {20}, values, out);
      std::vector<int64_t> want;
      for (T value : in)
        want.push_back(int64_t(value) * d.factor / d.divisor);
      INFO(small << " * " << d.factor << " / " << d.divisor << ", sub-groups of " << width << ", options '" << options
                 << "'");
      CHECK(cl.read<int64_t>(out) == want);
    }
}

} // namespace

TEST_CASE("divisions of products", "[code_generation]") {
  for (const std::string &options : optimizations()) {
    checkDivisions<int8_t>("char", "long", options);
    checkDivisions<uint8_t>("uchar", "long", options);
    checkDivisions<int16_t>("short", "long", options);
    checkDivisions<int8_t>("char", "int", options);
    checkDivisions<int16_t>("short", "int", options);
  }
}

// Computes the upper part of a 64-bit product of 16-bit factors.
TEST_CASE("upper parts of products", "[code_generation]") {
  const Session cl;
  constexpr size_t kItems = 100;
  std::vector<int16_t> in;
  for (size_t i = 0; i < kItems; ++i)
    in.push_back(int16_t(i * 7919 + 13));
  for (const std::string &options : optimizations())
    for (unsigned shift : {16u, 20u, 31u, 32u, 40u, 48u, 63u})
      for (const size_t width : widthsInTurn()) {
        const Program program =
            cl.build(R"(
__attribute__((intel_reqd_sub_group_size(WIDTH))) kernel void k(global const short *in, global ushort2 *out) {
  size_t i = get_global_id(0);
  long product = (long)in[i] * (long)in[99 - i];
  ulong magnitude = (ulong)as_ushort(in[i]) * (ulong)as_ushort(in[99 - i]);
  out[i] = (ushort2)((ushort)((ulong)product >> SHIFT), (ushort)(magnitude >> SHIFT));
})",
                     options + " -DWIDTH=" + std::to_string(width) + " -DSHIFT=" + std::to_string(shift));
        Memory values = cl.buffer(in), out = cl.bytes(2 * kItems * sizeof(uint16_t));
        cl.run(cl.kernel(program, "k"), {kItems}, {20}, values, out);
        std::vector<uint16_t> want;
        for (size_t i = 0; i < kItems; ++i) {
          const int64_t product = int64_t(in[i]) * in[99 - i];
          const uint64_t magnitude = uint64_t(uint16_t(in[i])) * uint16_t(in[99 - i]);
          want.insert(want.end(), {uint16_t(uint64_t(product) >> shift), uint16_t(magnitude >> shift)});
        }
        INFO("shifted by " << shift << ", sub-groups of " << width << ", options '" << options << "'");
        CHECK(cl.read<uint16_t>(out) == want);
      }
}

// LLVM 22 cannot select an AVX-512 instruction for this scatter's index while the index is a product (v4i64 =
// zero_extend_vector_inreg v16i16).
TEST_CASE("a 16-bit index that is a product, without optimization", "[code_generation]") {
  const Session cl;
  constexpr size_t kItems = 19;
  for (const std::string width : {"8", "16", "32"}) {
    const Program program = cl.build("__attribute__((intel_reqd_sub_group_size(" + width + R"())) kernel
void k(global ushort *out) {
  out[(short)((short)get_global_id(0) * (short)8)] = (ushort)0;
})",
                                     "-cl-opt-disable");
    Memory out = cl.buffer(std::vector<uint16_t>(8 * kItems, 65459));
    cl.run(cl.kernel(program, "k"), {kItems}, {kItems}, out);
    std::vector<uint16_t> want(8 * kItems, 65459);
    for (size_t i = 0; i < kItems; ++i)
      want[8 * i] = 0;
    INFO("sub-groups of " << width);
    CHECK(cl.read<uint16_t>(out) == want);
  }
}

// Vectors such as (x, x, x, x) and (x, y, x, y). If a lane's bytes are shuffled with themselves to make (x, x) from x,
// the code generator of LLVM 22 never terminates, for AVX2 and without optimization.
TEST_CASE("vectors that repeat numbers are stored", "[code_generation]") {
  constexpr size_t kItems = 64;
  const Session cl;
  const std::vector<size_t> sizes{2, 4, 8, 16};
  std::string source = "#define JOIN(a, b) a##b\n#define VECTOR(t, n) JOIN(t, n)\n#define V(n) VECTOR(T, n)\n";
  for (const size_t n : sizes)
    for (const std::string which : {"same", "turns"}) {
      std::string components = "x";
      for (size_t k = 1; k < n; ++k)
        components += which == "turns" && k % 2 == 1 ? ", y" : ", x";
      const std::string number = std::to_string(n);
      source += "KERNEL void " + which + number + "(global const int *in, global V(" + number +
                ") *out) {\n  const T x = in[get_global_id(0)], y = in[get_global_id(0) + 1];\n"
                "  out[get_global_id(0)] = (V(" +
                number + "))(" + components + ");\n}\n";
    }
  for (const std::string &options : optimizations())
    for (const auto &[type, bytes] :
         std::map<std::string, size_t>{{"uchar", 1}, {"ushort", 2}, {"uint", 4}, {"ulong", 8}})
      for (const size_t width : widthsInTurn()) {
        const Program program = buildForWidth(cl, source, width, "CL3.0 " + options + " -DT=" + type);
        std::vector<cl_int> in(kItems + 1);
        std::iota(in.begin(), in.end(), 50);
        Memory values = cl.buffer(in);
        for (const size_t n : sizes)
          for (const std::string which : {"same", "turns"}) {
            std::vector<uint8_t> want(n * kItems * bytes);
            for (size_t i = 0; i < n * kItems; ++i)
              want[i * bytes] = uint8_t(in[i / n + (which == "turns" ? i % 2 : 0)]);
            Memory out = cl.bytes(want.size());
            cl.run(cl.kernel(program, which + std::to_string(n)), {kItems}, {32}, values, out);
            INFO(type << n << ", " << which << ", sub-groups of " << width << ", options '" << options << "'");
            CHECK(cl.read<uint8_t>(out) == want);
          }
      }
}

// The amount is the local id: the number of the sub-group's first lane plus the lane's number. The first lane's number
// may be 0 or a multiple of 32, the width of the type.
TEST_CASE("rotates by the width of the type", "[code_generation]") {
  const Session cl;
  for (const std::string options : {"", "-cl-opt-disable", "-g -cl-opt-disable"})
    for (const size_t width : widthsInTurn()) {
      const Program program = cl.build(R"(
__attribute__((intel_reqd_sub_group_size(WIDTH))) kernel void k(global int *out, local uchar *cells) {
  uint4 rotated = rotate((uint4)(1), (uint4)((uint)get_local_linear_id()));
  intel_sub_group_block_write_uc(cells + get_sub_group_id() * get_max_sub_group_size() * 4, (uchar)0);
  ulong shuffled = 0;
  for (int n = 0; n < 3; ++n) {
    const uint got = intel_sub_group_shuffle_down((uint)get_local_id(0), 0u, 10u);
    shuffled = sub_group_ballot(1).x >> (get_sub_group_local_id() & 31) & 1 ? got : 0u;
  }
  out[get_global_linear_id()] = (int)rotated.y;
})",
                                       "-cl-std=CL3.0 " + options + " -DWIDTH=" + std::to_string(width));
      for (size_t local : {32, 33, 70}) {
        Memory out = cl.bytes(3 * local * sizeof(uint32_t));
        cl.run(cl.kernel(program, "k"), {3 * local}, {local}, out, Local{1024});
        std::vector<uint32_t> want;
        for (size_t i = 0; i < 3 * local; ++i)
          want.push_back(1u << (i % local % 32));
        INFO("sub-groups of " << width << ", work-groups of " << local << ", options '" << options << "'");
        CHECK(cl.read<uint32_t>(out) == want);
      }
    }
}

// What LLVM knows about the range of the factors leads it to assume too much about the product.
TEST_CASE("upper halves of products of numbers whose range is known", "[code_generation]") {
  const Session cl;
  for (const std::string &options : optimizations())
    for (int offset : {0, 3, 100}) {
      const Program program = cl.build(R"(
kernel void k(global long *out) {
  const long x = (long)get_local_id(0) - OFFSET, y = -3;
  global long *mine = out + get_global_id(0) * 4;
  const long2 both = mul_hi((long2)(x, y), (long2)(y, x));
  mine[0] = mul_hi(x, y);
  mine[1] = mad_sat(x, y, 5L);
  mine[2] = mad_hi(y, x, 7L);
  mine[3] = both.y;
})",
                                       options + " -DOFFSET=" + std::to_string(offset));
      for (size_t local : {1, 8, 50}) {
        Memory out = cl.bytes(2 * local * 4 * sizeof(int64_t));
        cl.run(cl.kernel(program, "k"), {2 * local}, {local}, out);
        std::vector<int64_t> want;
        for (size_t i = 0; i < 2 * local; ++i) {
          const int64_t product = (int64_t(i % local) - offset) * -3, high = product < 0 ? -1 : 0;
          want.insert(want.end(), {high, product + 5, high + 7, high});
        }
        INFO("offset " << offset << ", work-groups of " << local << ", options '" << options << "'");
        CHECK(cl.read<int64_t>(out) == want);
      }
    }
}

namespace {

// A kernel with that many statements in one block. Every `period`-th statement contains a load or a store.
struct LongBlock {
  std::string source;
  std::vector<std::vector<uint32_t>> stored;
};

LongBlock longBlock(size_t statements, size_t period, size_t items) {
  constexpr size_t kVariables = 12;
  LongBlock block{"kernel void k(global uint *out) {\n  uint i = get_global_id(0);\n", {}};
  std::vector<std::vector<uint32_t>> values(kVariables, std::vector<uint32_t>(items));
  for (size_t v = 0; v < kVariables; ++v) {
    block.source += "uint v" + std::to_string(v) + " = i * " + std::to_string(v + 3) + "u;\n";
    for (size_t i = 0; i < items; ++i)
      values[v][i] = uint32_t(i * (v + 3));
  }
  for (size_t n = 0; n < statements; ++n) {
    const size_t to = n * 7 % kVariables, a = n * 5 % kVariables, b = (n * 11 + n / 9) % kVariables;
    block.source += "v" + std::to_string(to) + " = (v" + std::to_string(a) + " ^ v" + std::to_string(b) + ") + v" +
                    std::to_string(to) + " + " + std::to_string(n) + "u;\n";
    for (size_t i = 0; i < items; ++i)
      values[to][i] += (values[a][i] ^ values[b][i]) + uint32_t(n);
    if (n % period == period - 1) {
      block.source += "out[" + std::to_string(block.stored.size() * items) + " + i] = v" + std::to_string(to) + ";\n";
      block.stored.push_back(values[to]);
    }
  }
  block.source += "}\n";
  return block;
}

} // namespace

// Some of LLVM's passes are left out if a block is long or has many accesses.
TEST_CASE("long blocks", "[code_generation]") {
  constexpr size_t kItems = 77;
  const Session cl;
  for (const auto &[statements, period] :
       {std::pair{2500, 500}, std::pair{1000, 3}, std::pair{2300, 1}, std::pair{8000, 400}}) {
    if (isRepeated() && !runsEverything() && statements == 8000)
      continue; // this takes a minute
    const LongBlock block = longBlock(size_t(statements), size_t(period), kItems);
    const Program program = cl.build(block.source);
    Memory out = cl.bytes(block.stored.size() * kItems * sizeof(uint32_t));
    cl.run(cl.kernel(program, "k"), {kItems}, {}, out);
    std::vector<uint32_t> want;
    for (const std::vector<uint32_t> &values : block.stored)
      want.insert(want.end(), values.begin(), values.end());
    INFO(statements << " statements, a store in " << period);
    CHECK(cl.read<uint32_t>(out) == want);
  }
}

// Products of chars and shorts in which each factor has several uses. The factors include the extremes, and unsigned
// ones that need 17 bits with a sign.
TEST_CASE("products of shorts with many uses", "[code_generation]") {
  for (const char *type : {"char", "uchar", "short", "ushort"})
    checkEachItem(std::string("typedef ") + type + R"( T;
KERNEL void k(global const int *in, global int *out) {
  const size_t i = get_global_id(0), last = get_global_size(0) - 1;
  const T edges[8] = {(T)0x8000, (T)0x7fff, (T)0x80, (T)0x7f, (T)0xffff, 0, 1, (T)0xff};
  const int a = (T)(in[i] * 2621), b = edges[in[i] & 7], c = (T)(in[last - i] * 77), d = (T)in[0];
  out[i] = a * b + 3 * (a * c) + 5 * (b * c) + 7 * (a * d) + 11 * (b * d) + 13 * (c * d) + a - b;
})",
                  [type = std::string(type)](const Item &item) {
                    const auto narrow = [&](int value) -> uint32_t {
                      if (type == "char")
                        return uint32_t(int8_t(value));
                      if (type == "uchar")
                        return uint8_t(value);
                      return type == "short" ? uint32_t(int16_t(value)) : uint16_t(value);
                    };
                    const int edges[8] = {0x8000, 0x7fff, 0x80, 0x7f, 0xffff, 0, 1, 0xff};
                    const uint32_t a = narrow(item.x() * 2621), b = narrow(edges[item.x() & 7]),
                                   c = narrow(item.in[item.in.size() - 1 - item.global] * 77), d = narrow(item.in[0]);
                    return int(a * b + 3 * (a * c) + 5 * (b * c) + 7 * (a * d) + 11 * (b * d) + 13 * (c * d) + a - b);
                  });
}

// Processors without an instruction for fma call the function `fmaf`.
TEST_CASE("a table that is named like a function of the runtime", "[code_generation][runtime_functions]") {
  checkEachItem(R"(
constant uint fmaf[4] = {2, 3, 5, 7};
KERNEL void k(global const int *in, global int *out) {
  const size_t i = get_global_id(0);
  const int x = in[i] & 255;
  out[i] = (int)fma((float)x, (float)x, 3.0f) + (int)fmaf[x & 3];
})",
                [](const Item &item) {
                  const int x = item.x() & 255;
                  return x * x + 3 + std::array{2, 3, 5, 7}[size_t(x & 3)];
                });
}
