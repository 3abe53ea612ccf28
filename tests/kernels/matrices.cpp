// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The matrix multiply-accumulate functions, compared with loops over the matrices, in every combination of types and
// sizes. Floating-point elements are small integers here, so that sums are exact in any order.

#include "support/bfloat16.hpp"
#include "support/session.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <random>

using namespace lanecl::test;

namespace {

enum class Element { I8, U8, I4, U4, Bf16, F16, Tf32 };

unsigned bitsOf(Element element) {
  switch (element) {
  case Element::I8:
  case Element::U8: return 8;
  case Element::I4:
  case Element::U4: return 4;
  case Element::Tf32: return 32;
  default: return 16;
  }
}

bool isInteger(Element element) {
  return element <= Element::U4;
}

// The name of an element type in the functions' names, and its sign prefix in C.
struct Spelling {
  const char *name, *sign;
};
Spelling spell(Element element) {
  switch (element) {
  case Element::I8: return {"i8", ""};
  case Element::U8: return {"u8", "u"};
  case Element::I4: return {"i4", ""};
  case Element::U4: return {"u4", "u"};
  case Element::Bf16: return {"bf16", ""};
  case Element::F16: return {"f16", ""};
  case Element::Tf32: return {"tf32", ""};
  }
  return {};
}

uint32_t bitsOfFloat(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

// Returns a small integer as a half: its exponent and its highest bits.
uint32_t halfBits(int value) {
  if (value == 0)
    return 0;
  const uint32_t single = bitsOfFloat(float(value));
  return (single >> 16 & 0x8000) | (((single >> 23 & 0xff) - 127 + 15) << 10) | (single >> 13 & 0x3ff);
}

uint32_t encode(Element element, int value) {
  switch (element) {
  case Element::Bf16: return bitsOfFloat(float(value)) >> 16;
  case Element::F16: return halfBits(value);
  case Element::Tf32: return bitsOfFloat(float(value)) | 0x1234; // with low bits that do not count
  default: return uint32_t(value) & ((1u << bitsOf(element)) - 1);
  }
}

int randomElement(Element element, std::mt19937 &random) {
  const int bits = isInteger(element) ? int(bitsOf(element)) : 4;
  const bool is_unsigned = element == Element::U8 || element == Element::U4;
  return std::uniform_int_distribution<int>(is_unsigned ? 0 : -(1 << (bits - 1)),
                                            is_unsigned ? (1 << bits) - 1 : (1 << (bits - 1)) - 1)(random);
}

// Bytes that are filled element by element. An element has 4 to 32 bits.
class Packed {
public:
  Packed(size_t elements, unsigned bits) : bits(bits), bytes(elements * bits / 8) {}
  void set(size_t index, uint32_t value) {
    for (unsigned bit = 0; bit < bits; ++bit)
      if (value >> bit & 1)
        bytes[(index * bits + bit) / 8] |= uint8_t(1 << (index * bits + bit) % 8);
  }
  const unsigned bits;
  std::vector<uint8_t> bytes;
};

struct Function {
  Element left, right;
  unsigned rows, width;
  std::string accumulator; // its type in C: int, float, half or short
  bool split = false;      // two sub-groups pass half of the rows each

  unsigned depth() const { return left == Element::Tf32 ? 8 : 256 / bitsOf(left); }
  unsigned accumulatorBits() const { return accumulator == "half" || accumulator == "short" ? 16 : 32; }
  std::string name() const {
    return std::string("intel_sub_group_") + spell(left).name + "_" + spell(right).name + (split ? "_split" : "") +
           "_matrix_mad_k" + std::to_string(depth());
  }
  static std::string vector(const std::string &type, unsigned count) {
    return count == 1 ? type : type + std::to_string(count);
  }
  // Number of rows that one work-item passes.
  unsigned components() const { return split || left == Element::Tf32 ? (rows + 1) / 2 : rows; }
  std::string leftType() const {
    if (left == Element::Tf32)
      return vector("float", components());
    return vector(spell(left).sign + std::string(width == 8 ? "int" : "short"), components());
  }
  std::string rightType() const { return left == Element::Tf32 ? "float8" : spell(right).sign + std::string("int8"); }
  std::string sumType() const { return vector(accumulator, rows); }
  std::string kernel() const {
    const char *pragma = accumulator == "half" ? "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n" : "";
    return pragma + std::string("__attribute__((intel_reqd_sub_group_size(") + std::to_string(width) +
           "))) kernel void k(global const " + leftType() + " *a, global const " + rightType() + " *b, global " +
           sumType() + " *sums) {\n  size_t i = get_global_id(0);\n  sums[i] = " + name() +
           "(a[i], b[i], sums[i]);\n}\n";
  }
};

uint32_t encodeSum(const Function &f, int value) {
  if (f.accumulator == "int")
    return uint32_t(value);
  if (f.accumulator == "half")
    return halfBits(value);
  return bitsOfFloat(float(value)) >> (f.accumulator == "short" ? 16 : 0);
}

// Returns which work-item of a sub-group passes element (row, k) of the left matrix, and where in its value.
size_t placeOfLeft(const Function &f, unsigned row, unsigned k) {
  if (f.left == Element::Tf32)
    return (row % 2 * 8 + k) * f.components() + row / 2;
  const unsigned per_lane = f.depth() / f.width;
  return (k / per_lane * f.components() + row % f.components()) * per_lane + k % per_lane;
}

// The matrices of all sub-groups of a launch, as the work-items pass them.
struct Operands {
  Operands(const Function &f, size_t sub_groups, std::mt19937 &random)
      : left(sub_groups * f.components() * std::max(f.depth(), f.width), bitsOf(f.left)),
        right(sub_groups * f.width * f.depth(), bitsOf(f.right)),
        sums(sub_groups * f.width * f.rows, f.accumulatorBits()), expected(sums) {
    const size_t left_elements = left.bytes.size() * 8 / left.bits / sub_groups;
    for (size_t first = 0; first < sub_groups; first += f.split ? 2 : 1) {
      std::vector<int> rows(f.rows * f.depth());
      for (unsigned row = 0; row < f.rows; ++row)
        for (unsigned k = 0; k < f.depth(); ++k) {
          const size_t sub_group = first + (f.split ? row / f.components() : 0);
          rows[row * f.depth() + k] = randomElement(f.left, random);
          left.set(sub_group * left_elements + placeOfLeft(f, row, k), encode(f.left, rows[row * f.depth() + k]));
        }
      if (f.left == Element::Tf32 && f.rows == 1) // the values of the sub-group's upper half are not used
        for (unsigned k = 0; k < f.depth(); ++k)
          left.set(first * left_elements + placeOfLeft(f, 1, k), encode(f.left, 7));
      for (size_t sub_group = first; sub_group < first + (f.split ? 2 : 1); ++sub_group)
        for (unsigned lane = 0; lane < f.width; ++lane)
          fillColumn(f, sub_group * f.width + lane, rows, random);
    }
  }

  Packed left, right, sums, expected;

private:
  void fillColumn(const Function &f, size_t item, const std::vector<int> &rows, std::mt19937 &random) {
    std::vector<int> column(f.depth());
    for (unsigned k = 0; k < f.depth(); ++k) {
      column[k] = randomElement(f.right, random);
      right.set(item * f.depth() + k, encode(f.right, column[k]));
    }
    for (unsigned row = 0; row < f.rows; ++row) {
      const bool wide = f.accumulator == "int";
      const int start = std::uniform_int_distribution<int>(wide ? -2000000000 : -100, wide ? 2000000000 : 100)(random);
      int64_t sum = start;
      for (unsigned k = 0; k < f.depth(); ++k)
        sum += rows[row * f.depth() + k] * column[k];
      sums.set(item * f.rows + row, encodeSum(f, start));
      expected.set(item * f.rows + row, f.accumulator == "short" ? toBfloat16(float(sum)) : encodeSum(f, int(sum)));
    }
  }
};

void checkMad(const Session &cl, const Function &f) {
  std::mt19937 random(f.rows * 100 + f.width + unsigned(f.left));
  const size_t local = 2 * f.width, sub_groups = 6;
  const Operands operands(f, sub_groups, random);
  Memory a = cl.buffer(operands.left.bytes), b = cl.buffer(operands.right.bytes), sums = cl.buffer(operands.sums.bytes);
  cl.run(cl.kernel(cl.build(f.kernel(), "-cl-std=CL3.0"), "k"), {sub_groups * f.width}, {local}, a, b, sums);
  INFO(f.sumType() << " " << f.name() << "(" << f.leftType() << ", " << f.rightType() << ", " << f.sumType() << ")");
  CHECK(cl.read<uint8_t>(sums) == operands.expected.bytes);
}

} // namespace

TEST_CASE("matrices of 8-bit and 4-bit integers", "[matrices]") {
  const Session cl;
  for (const auto &[left, right] : std::vector<std::pair<Element, Element>>{{Element::I8, Element::I8},
                                                                            {Element::I8, Element::U8},
                                                                            {Element::U8, Element::I8},
                                                                            {Element::U8, Element::U8},
                                                                            {Element::I4, Element::I4},
                                                                            {Element::I4, Element::U4},
                                                                            {Element::U4, Element::I4},
                                                                            {Element::U4, Element::U4}})
    for (unsigned width : {8u, 16u})
      for (unsigned rows : {1u, 2u, 4u, 8u})
        checkMad(cl, {left, right, rows, width, "int"});
}

TEST_CASE("matrices of bfloat16 and half with sums in single precision", "[matrices]") {
  const Session cl;
  for (Element element : {Element::Bf16, Element::F16})
    for (unsigned width : {8u, 16u})
      for (unsigned rows : {1u, 2u, 4u, 8u})
        checkMad(cl, {element, element, rows, width, "float"});
}

TEST_CASE("matrices with 16-bit sums", "[matrices]") {
  const Session cl;
  for (unsigned rows : {1u, 2u, 4u, 8u}) {
    checkMad(cl, {Element::Bf16, Element::Bf16, rows, 16, "short"});
    checkMad(cl, {Element::F16, Element::F16, rows, 16, "half"});
  }
}

TEST_CASE("matrices whose rows are divided between two sub-groups", "[matrices]") {
  const Session cl;
  for (unsigned rows : {2u, 4u, 8u}) {
    for (Element left : {Element::I8, Element::U8})
      for (Element right : {Element::I8, Element::U8})
        checkMad(cl, {left, right, rows, 8, "int", true});
    for (Element element : {Element::Bf16, Element::F16})
      checkMad(cl, {element, element, rows, 8, "float", true});
  }
}

// The pairs reach the call a different number of times, between work-group barriers, and some never do.
TEST_CASE("the two sub-groups of a pair meet without the other sub-groups", "[matrices]") {
  const Session cl;
  const Program program = cl.build(R"(
__attribute__((intel_reqd_sub_group_size(8))) kernel void k(global int *out) {
  local int total;
  uint pair = get_sub_group_id() / 2;
  int a = 0x01010101 * (get_sub_group_id() + 1); // all elements of the sub-group's row
  int2 sums = 0;
  for (int round = 0; round < 3; ++round) {
    if (get_local_id(0) == 0) total = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = 0; i < pair * (round + 1); ++i)
      sums = intel_sub_group_i8_i8_split_matrix_mad_k32(a, (int8)(0x01010101), sums);
    atomic_add(&total, sums.x + sums.y);
    barrier(CLK_LOCAL_MEM_FENCE);
    sums += total;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_global_id(0) * 2] = sums.x;
  out[get_global_id(0) * 2 + 1] = sums.y;
})");
  for (size_t sub_groups : {2, 4, 8}) {
    const size_t items = sub_groups * 8;
    std::vector<uint32_t> want(3 * items * 2), x(sub_groups), y(sub_groups);
    for (uint32_t round = 0; round < 3; ++round) {
      uint32_t total = 0;
      for (uint32_t s = 0; s < sub_groups; ++s) {
        const uint32_t times = s / 2 * (round + 1) * 32, even = s / 2 * 2 + 1;
        x[s] += times * even;
        y[s] += times * (even + 1);
        total += 8 * (x[s] + y[s]);
      }
      for (size_t s = 0; s < sub_groups; ++s) {
        x[s] += total;
        y[s] += total;
      }
    }
    for (size_t i = 0; i < 3 * items; ++i) {
      want[2 * i] = x[i % items / 8];
      want[2 * i + 1] = y[i % items / 8];
    }
    Memory result = cl.buffer(std::vector<uint32_t>(want.size()));
    cl.run(cl.kernel(program, "k"), {3 * items}, {items}, result);
    INFO(sub_groups << " sub-groups");
    CHECK(cl.read<uint32_t>(result) == want);
  }
}

TEST_CASE("matrices of tf32", "[matrices]") {
  const Session cl;
  for (unsigned rows : {1u, 2u, 4u, 8u})
    checkMad(cl, {Element::Tf32, Element::Tf32, rows, 16, "float"});
}

TEST_CASE("single precision is rounded to tf32 with ten bits of mantissa", "[matrices]") {
  const std::vector<std::pair<uint32_t, uint32_t>> cases{
      {0x3f800000, 0x3f800000}, {0x3f800fff, 0x3f800000}, {0x3f801000, 0x3f800000}, // a tie, to even
      {0x3f801001, 0x3f802000}, {0x3f803000, 0x3f804000}, {0x3f7fffff, 0x3f800000}, {0xc0490fdb, 0xc0490000},
      {0x7f7fffff, 0x7f800000}, {0xff800000, 0xff800000}, {0x00001fff, 0x00002000}, {0x80000000, 0x80000000},
      {0x7f800001, 0x7fc00000}, {0xffffffff, 0xffffe000}};
  std::vector<uint32_t> in, want;
  for (size_t i = 0; i < 16 * cases.size(); ++i) {
    in.push_back(cases[i % cases.size()].first);
    want.push_back(cases[i % cases.size()].second);
  }
  const Session cl;
  for (const char *n : {"", "2", "4", "8", "16"}) {
    const std::string v = n, type = "float" + v;
    const Program program =
        cl.build("kernel void k(global const " + type + " *in, global " + type + " *out) {\n" +
                 "size_t i = get_global_id(0);\n out[i] = intel_convert_tfloat32" + v + "_as_" + type + "(in[i]); }");
    Memory input = cl.buffer(in), output = cl.buffer(in);
    cl.run(cl.kernel(program, "k"), {in.size() / (v.empty() ? 1 : std::stoul(v))}, {}, input, output);
    INFO(type);
    CHECK(cl.read<uint32_t>(output) == want);
  }
  const Program three = cl.build("kernel void k(global const float *in, global float *out) {\n"
                                 "size_t i = get_global_id(0);\n"
                                 "vstore3(intel_convert_tfloat323_as_float3(vload3(i, in)), i, out); }");
  Memory input = cl.buffer(in), output = cl.buffer(std::vector<uint32_t>(in.size()));
  cl.run(cl.kernel(three, "k"), {in.size() / 3}, {}, input, output);
  want.resize(in.size() / 3 * 3);
  want.resize(in.size());
  CHECK(cl.read<uint32_t>(output) == want);
}

TEST_CASE("a function for another sub-group size is an error that names the required size", "[matrices]") {
  const Session cl;
  for (const Function &f :
       {Function{Element::I8, Element::I8, 8, 8, "int"}, {Element::I8, Element::I8, 8, 16, "int"}}) {
    std::string source = f.kernel();
    const std::string wanted = "size(" + std::to_string(f.width), other = "size(" + std::to_string(24 - f.width);
    source.replace(source.find(wanted), wanted.size(), other);
    try {
      cl.build(source);
      FAIL("the build succeeded");
    } catch (const BuildError &error) {
      CHECK(error.log.find("intel_reqd_sub_group_size(" + std::to_string(f.width) + ")") != std::string::npos);
      CHECK(error.log.find(":3:") != std::string::npos); // the line of the call
    }
  }
}

// The result is rounded as by one fused multiply-add after the other, apart from their order.
TEST_CASE("products of any bfloat16 values are near the exact ones", "[matrices]") {
  const Session cl;
  const Function f{Element::Bf16, Element::Bf16, 8, 16, "float"};
  std::mt19937 random(7);
  std::uniform_real_distribution<float> values(-1, 1);
  const auto bfloat = [&] { return uint16_t(bitsOfFloat(values(random)) >> 16); };
  const auto widen = [](uint16_t x) {
    const uint32_t bits = uint32_t(x) << 16;
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  };
  std::vector<uint16_t> a(16 * 8), b(16 * 16);
  std::generate(a.begin(), a.end(), bfloat);
  std::generate(b.begin(), b.end(), bfloat);
  Memory left = cl.buffer(a), right = cl.buffer(b), sums = cl.buffer(std::vector<float>(16 * 8, 0.5f));
  cl.run(cl.kernel(cl.build(f.kernel()), "k"), {16}, {16}, left, right, sums);
  const std::vector<float> got = cl.read<float>(sums);
  for (size_t lane = 0; lane < 16; ++lane)
    for (size_t row = 0; row < 8; ++row) {
      double exact = 0.5;
      for (size_t k = 0; k < 16; ++k)
        exact += double(widen(a[k * 8 + row])) * widen(b[lane * 16 + k]);
      CHECK(std::abs(got[lane * 8 + row] - exact) < 16 * 0x1p-22);
    }
}
