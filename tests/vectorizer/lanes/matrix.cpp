// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Matrix products agree with loops on the host: integers always, floats in the order that matrix_multiply.h promises.
#include "harness.h"

#include "lanes/arithmetic/matrix_multiply.h"

#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>

using namespace lanecl::vectorizer::lanes;
using namespace lanecl::vectorizer::lanes::test;

namespace {

using Rows = std::array<std::array<uint32_t, kMatrixDwords>, 8>;
using Columns = std::array<uint32_t, kMatrixDwords * 16>; // dword k of lane n: k * width + n
using Sums = std::array<uint32_t, 8 * 16>;

struct Types {
  std::string name;
  MatrixElement left, right;
};

const std::vector<Types> kIntegers{
    {"i8_i8", MatrixElement::I8, MatrixElement::I8}, {"i8_u8", MatrixElement::I8, MatrixElement::U8},
    {"u8_i8", MatrixElement::U8, MatrixElement::I8}, {"u8_u8", MatrixElement::U8, MatrixElement::U8},
    {"i4_i4", MatrixElement::I4, MatrixElement::I4}, {"i4_u4", MatrixElement::I4, MatrixElement::U4},
    {"u4_i4", MatrixElement::U4, MatrixElement::I4}, {"u4_u4", MatrixElement::U4, MatrixElement::U4}};
const std::vector<Types> kFloats{{"bf16", MatrixElement::Bf16, MatrixElement::Bf16},
                                 {"f16", MatrixElement::F16, MatrixElement::F16},
                                 {"tf32", MatrixElement::Tf32, MatrixElement::Tf32}};

// Those of the processor, also with the instructions for dot products.
std::vector<TestIsa> isas() {
  std::vector<TestIsa> all = hostIsas();
  for (const TestIsa &isa : hostIsas()) {
    TestIsa dots = isa;
    dots.target.vnni = true;
    if (isa.name == "avx2" && __builtin_cpu_supports("avxvnni")) {
      dots.name = "avxvnni";
      dots.attributes += ",+avxvnni";
      all.push_back(dots);
    }
    if (isa.name == "avx512" && __builtin_cpu_supports("avx512vnni")) {
      dots.name = "avx512vnni";
      dots.attributes += ",+avx512vnni";
      all.push_back(dots);
    }
  }
  return all;
}

bool isSigned(MatrixElement type) {
  return type == MatrixElement::I8 || type == MatrixElement::I4;
}

int element(uint32_t dword, unsigned index, MatrixElement type) {
  const bool nibble = type == MatrixElement::I4 || type == MatrixElement::U4;
  const unsigned bits = nibble ? 4 : 8;
  const int value = int(dword >> index * bits & ((1u << bits) - 1));
  return isSigned(type) && value >= 1 << (bits - 1) ? value - (1 << bits) : value;
}

float asFloat(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

uint32_t addInteger(uint32_t sum, uint32_t a, uint32_t b, const Types &types) {
  const unsigned count = types.left == MatrixElement::I4 || types.left == MatrixElement::U4 ? 8 : 4;
  for (unsigned i = 0; i < count; ++i)
    sum += uint32_t(element(a, i, types.left) * element(b, i, types.right));
  return sum;
}

float half(uint32_t bits) {
  const auto narrow = uint16_t(bits);
  _Float16 value;
  std::memcpy(&value, &narrow, sizeof value);
  return float(value);
}

uint32_t addFloat(uint32_t sum_bits, uint32_t a, uint32_t b, const Types &types) {
  float sum = asFloat(sum_bits);
  if (types.left == MatrixElement::Tf32)
    sum = std::fma(asFloat(a & 0xffffe000), asFloat(b & 0xffffe000), sum);
  else if (types.left == MatrixElement::F16)
    sum = std::fma(half(a >> 16), half(b >> 16), std::fma(half(a), half(b), sum));
  else
    sum = std::fma(asFloat(a & 0xffff0000), asFloat(b & 0xffff0000), std::fma(asFloat(a << 16), asFloat(b << 16), sum));
  uint32_t bits;
  std::memcpy(&bits, &sum, sizeof bits);
  return bits;
}

using AddProduct = uint32_t (*)(uint32_t sum, uint32_t a, uint32_t b, const Types &types);
using RandomDword = std::function<uint32_t()>;

std::string nameOf(const Types &types, unsigned count) {
  return types.name + "." + std::to_string(count);
}

void emitInto(LaneModule &module, const Types &types, unsigned count, bool floats) {
  module.add(nameOf(types, count), [=](const LaneContext &c, const Parameters &p) {
    auto at = [&](llvm::Value *base, unsigned dword) { return c.b.CreatePtrAdd(base, c.b.getInt64(dword * 4)); };
    llvm::SmallVector<llvm::Value *, 8> rows, columns, sums;
    auto *row = llvm::FixedVectorType::get(c.b.getInt32Ty(), kMatrixDwords);
    for (unsigned m = 0; m < count; ++m) {
      rows.push_back(c.b.CreateAlignedLoad(row, at(p.a, m * kMatrixDwords), llvm::Align(4)));
      sums.push_back(loadLanes(c, floats ? c.b.getFloatTy() : c.b.getInt32Ty(), at(p.out, m * c.width)));
    }
    for (unsigned k = 0; k < kMatrixDwords; ++k)
      columns.push_back(loadLanes(c, c.b.getInt32Ty(), at(p.b, k * c.width)));
    emitMatrixMultiplyAdd(c, types.left, types.right, rows, columns, sums);
    for (unsigned m = 0; m < count; ++m)
      storeLanes(c, sums[m], at(p.out, m * c.width));
  });
}

void checkTypes(const TestIsa &isa, const std::vector<Types> &all, AddProduct add, const RandomDword &random) {
  for (unsigned width : {8u, 16u}) {
    LaneModule module(isa, width);
    for (const Types &types : all)
      for (unsigned count : {1u, 2u, 4u, 8u})
        emitInto(module, types, count, add == addFloat);
    module.compile();
    for (const Types &types : all)
      for (unsigned count : {1u, 2u, 4u, 8u})
        for (int round = 0; round < 20; ++round) {
          Rows rows;
          Columns columns;
          Sums sums;
          for (auto &row : rows)
            std::generate(row.begin(), row.end(), random);
          std::generate(columns.begin(), columns.end(), random);
          std::generate(sums.begin(), sums.end(), random);
          Sums expected = sums;
          for (unsigned m = 0; m < count; ++m)
            for (unsigned k = 0; k < kMatrixDwords; ++k)
              for (unsigned lane = 0; lane < width; ++lane)
                expected[m * width + lane] =
                    add(expected[m * width + lane], rows[m][k], columns[k * width + lane], types);
          module.find(nameOf(types, count))(rows.data(), columns.data(), sums.data(), ~uint64_t(0), 0);
          INFO(isa.name << " W=" << width << " " << types.name << ", " << count << " rows");
          CHECK(sums == expected);
          countCase();
        }
  }
}

} // namespace

TEST_CASE("products of integer matrices", "[matrix]") {
  std::mt19937_64 random(1);
  for (const TestIsa &isa : isas())
    checkTypes(isa, kIntegers, addInteger, [&] { return uint32_t(random()); });
}

TEST_CASE("products of integer matrices at the ends of the range", "[matrix]") {
  std::mt19937_64 random(2);
  const uint32_t extremes[] = {0x80808080, 0x7f7f7f7f, 0xffffffff, 0x88888888, 0x77777777, 0x80ff7f00};
  for (const TestIsa &isa : isas())
    checkTypes(isa, kIntegers, addInteger, [&] { return extremes[random() % std::size(extremes)]; });
}

// Exponents near that of 1 in both halves of a dword, so that it is an ordinary number as any of the types.
TEST_CASE("products of floating-point matrices", "[matrix]") {
  std::mt19937_64 random(3);
  for (const TestIsa &isa : isas())
    checkTypes(isa, kFloats, addFloat, [&] { return uint32_t(random() & 0x83ff83ff) | 0x3c003c00; });
}

TEST_CASE("products are the instructions that the processor has for them", "[matrix]") {
  const auto assembly = [](const TestIsa &isa, unsigned width, MatrixElement left, MatrixElement right) {
    return assemblyOf(isa, width, [=](const LaneContext &c, const Parameters &p) {
      llvm::SmallVector<llvm::Value *, 8> rows, columns, sums;
      auto *row = llvm::FixedVectorType::get(c.b.getInt32Ty(), kMatrixDwords);
      for (unsigned i = 0; i < 8; ++i) {
        llvm::Value *offset = c.b.getInt64(i * 64);
        rows.push_back(c.b.CreateAlignedLoad(row, c.b.CreatePtrAdd(p.a, offset), llvm::Align(4)));
        columns.push_back(loadLanes(c, c.b.getInt32Ty(), c.b.CreatePtrAdd(p.b, offset)));
        llvm::Type *sum = left == MatrixElement::Bf16 ? c.b.getFloatTy() : c.b.getInt32Ty();
        sums.push_back(loadLanes(c, sum, c.b.CreatePtrAdd(p.out, offset)));
      }
      emitMatrixMultiplyAdd(c, left, right, rows, columns, sums);
      for (unsigned i = 0; i < 8; ++i)
        storeLanes(c, sums[i], c.b.CreatePtrAdd(p.out, c.b.getInt64(i * 64)));
    });
  };
  // The instructions are those of one dword, in a loop over the eight. In memory are rows and columns, nothing else:
  // both are stored once, and the loop loads a splat for each row and factor and the lanes' dword.
  TestIsa vnni = allIsas()[2];
  vnni.target.vnni = true;
  vnni.attributes += ",+avx512vnni";
  for (unsigned width : {8u, 16u}) {
    const std::string mixed = assembly(vnni, width, MatrixElement::U8, MatrixElement::I8);
    CHECK(countInstructions(mixed, "vpdpbusd") == 8);
    CHECK(countStackAccesses(mixed) == (8 + 8) + (8 + 1));
    const std::string biased = assembly(vnni, width, MatrixElement::I8, MatrixElement::I8);
    CHECK(countInstructions(biased, "vpdpbusd") == 9); // and the bias
    CHECK(countStackAccesses(biased) == (8 + 8) + (8 + 1));
    const std::string bfloat = assembly(vnni, width, MatrixElement::Bf16, MatrixElement::Bf16);
    CHECK(countInstructions(bfloat, "vfmadd") == 16);
    CHECK(countStackAccesses(bfloat) == (16 + 8) + (16 + 1));
  }
  const TestIsa avx2 = allIsas()[1];
  const std::string words = assembly(avx2, 8, MatrixElement::I8, MatrixElement::U8);
  CHECK(countInstructions(words, "vpmaddwd") == 16);
  CHECK(countInstructions(words, "vpmaddubsw") == 0); // which saturates
  // Lanes in two registers: two blocks of four rows, so that each splat serves two products.
  const std::string halves = assembly(avx2, 16, MatrixElement::Bf16, MatrixElement::Bf16);
  CHECK(countInstructions(halves, "vfmadd") == 2 * 16);
  CHECK(countInstructions(halves, "vbroadcastss") == 2 * 8);
}
