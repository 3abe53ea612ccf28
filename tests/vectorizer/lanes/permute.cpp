// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Shuffles and broadcasts move elements as a loop over the lanes does, for every type, width and instruction set.
#include "harness.h"

#include "lanes/cross_lane/permute.h"

#include <array>
#include <catch2/catch.hpp>
#include <cstring>

using namespace lanecl::vectorizer::lanes;
using namespace lanecl::vectorizer::lanes::test;

namespace {

using Bytes = std::array<uint8_t, 64 * 8>;
using IndexOf = std::function<uint32_t(unsigned lane, uint32_t scalar)>;

struct Case {
  std::string name;
  bool two_sources;
  std::function<llvm::Value *(const LaneContext &, const Parameters &)> emit; // the index vector
  std::function<uint32_t(unsigned lane, const uint32_t *b, uint64_t scalar)> index;
};

llvm::Value *splatScalar(const LaneContext &c, const Parameters &p) {
  return c.b.CreateVectorSplat(c.width, c.b.CreateTrunc(p.scalar, c.b.getInt32Ty()));
}

std::vector<Case> shuffleCases() {
  std::vector<Case> cases;
  for (bool two : {false, true}) {
    const std::string suffix = two ? "2" : "";
    cases.push_back({"vary" + suffix, two,
                     [](const LaneContext &c, const Parameters &p) { return loadLanes(c, c.b.getInt32Ty(), p.b); },
                     [](unsigned lane, const uint32_t *b, uint64_t) { return b[lane]; }});
    cases.push_back({"known" + suffix, two, // an index that needs no modulo
                     [](const LaneContext &c, const Parameters &p) {
                       llvm::Value *index = loadLanes(c, c.b.getInt32Ty(), p.b);
                       return c.b.CreateAnd(index, llvm::ConstantInt::get(index->getType(), c.width - 1));
                     },
                     nullptr});
    cases.push_back(
        {"xor" + suffix, two,
         [](const LaneContext &c, const Parameters &p) { return c.b.CreateXor(laneIds(c), splatScalar(c, p)); },
         [](unsigned lane, const uint32_t *, uint64_t scalar) { return lane ^ uint32_t(scalar); }});
    cases.push_back(
        {"add" + suffix, two,
         [](const LaneContext &c, const Parameters &p) { return c.b.CreateAdd(laneIds(c), splatScalar(c, p)); },
         [](unsigned lane, const uint32_t *, uint64_t scalar) { return lane + uint32_t(scalar); }});
    cases.push_back({"constant" + suffix, two,
                     [](const LaneContext &c, const Parameters &) {
                       return c.b.CreateAdd(laneIds(c), llvm::ConstantInt::get(laneIds(c)->getType(), 5));
                     },
                     [](unsigned lane, const uint32_t *, uint64_t) { return lane + 5; }});
  }
  return cases;
}

// The sources of a two-source shuffle: low at a, high right behind it.
void addShuffle(LaneModule &module, const Case &test, const ElementType &type) {
  module.add(test.name + "." + type.name, [&](const LaneContext &c, const Parameters &p) {
    llvm::Type *element = type.get(c.b.getContext());
    llvm::Value *low = loadLanes(c, element, p.a), *index = test.emit(c, p);
    llvm::Value *high = loadLanes(c, element, c.b.CreatePtrAdd(p.a, c.b.getInt64(c.width * type.bytes)));
    storeLanes(c, test.two_sources ? emitShuffle2(c, low, high, index) : emitShuffle(c, low, index), p.out);
  });
}

struct Data {
  std::array<uint8_t, 2 * 64 * 8> a;
  std::array<uint32_t, 64> b;
  Data(const ElementType &type, std::mt19937_64 &random) {
    fillRandom(a.data(), a.size(), random);
    fillRandom(b.data(), sizeof b, random);
    if (std::string(type.name) == "i1")
      for (uint8_t &byte : a)
        byte &= 1;
  }
};

bool shuffleAgrees(Function function, const Case &test, const ElementType &type, unsigned width, const Data &data,
                   uint64_t scalar) {
  Bytes out{}, expected{};
  function(data.a.data(), data.b.data(), out.data(), 0, scalar);
  for (unsigned lane = 0; lane < width; ++lane) {
    const uint32_t index = test.index ? test.index(lane, data.b.data(), scalar) : data.b[lane] % width;
    const uint32_t from = index % (test.two_sources ? 2 * width : width);
    std::memcpy(&expected[lane * type.bytes], &data.a[from * type.bytes], type.bytes);
  }
  countCase();
  return out == expected;
}

} // namespace

TEST_CASE("shuffles agree with the host", "[permute]") {
  std::mt19937_64 random(1);
  const std::vector<Case> cases = shuffleCases();
  for (const TestIsa &isa : hostIsas())
    for (unsigned width : kWidths) {
      LaneModule module(isa, width);
      for (const Case &test : cases)
        for (const ElementType &type : elementTypes())
          addShuffle(module, test, type);
      module.compile();
      for (const Case &test : cases)
        for (const ElementType &type : elementTypes()) {
          INFO(isa.name << " W=" << width << " " << test.name << " " << type.name);
          const Function function = module.find(test.name + "." + type.name);
          for (int round = 0; round < 8; ++round)
            CHECK(shuffleAgrees(function, test, type, width, Data(type, random), random()));
        }
    }
}

TEST_CASE("broadcasts and inserts agree with the host", "[permute]") {
  std::mt19937_64 random(2);
  for (const TestIsa &isa : hostIsas())
    for (unsigned width : kWidths) {
      LaneModule module(isa, width);
      for (const ElementType &type : elementTypes()) {
        const auto scalarLane = [](const LaneContext &c, const Parameters &p) {
          return c.b.CreateTrunc(p.scalar, c.b.getInt32Ty());
        };
        module.add(std::string("broadcast.") + type.name, [&](const LaneContext &c, const Parameters &p) {
          storeLanes(c, emitBroadcast(c, loadLanes(c, type.get(c.b.getContext()), p.a), scalarLane(c, p)), p.out);
        });
        module.add(std::string("first.") + type.name, [&](const LaneContext &c, const Parameters &p) {
          storeLanes(c, emitBroadcastFirst(c, loadLanes(c, type.get(c.b.getContext()), p.a), p.mask), p.out);
        });
        module.add(std::string("insert.") + type.name, [&](const LaneContext &c, const Parameters &p) {
          llvm::Value *v = loadLanes(c, type.get(c.b.getContext()), p.a);
          llvm::Value *scalar = c.b.CreateExtractElement(v, uint64_t(1));
          storeLanes(c, emitInsertLane(c, v, scalarLane(c, p), scalar), p.out);
        });
      }
      module.compile();
      for (const ElementType &type : elementTypes())
        for (uint64_t mask : interestingMasks(width, random)) {
          INFO(isa.name << " W=" << width << " " << type.name << " mask " << mask);
          const Data data(type, random);
          const uint64_t scalar = random();
          const uint64_t lane = scalar % width;
          Bytes out{}, expected{};
          module.find(std::string("broadcast.") + type.name)(data.a.data(), nullptr, out.data(), mask, scalar);
          CHECK(std::memcmp(out.data(), &data.a[lane * type.bytes], type.bytes) == 0);
          module.find(std::string("first.") + type.name)(data.a.data(), nullptr, out.data(), mask, scalar);
          const unsigned first = mask ? unsigned(__builtin_ctzll(mask)) : 0;
          CHECK(std::memcmp(out.data(), &data.a[first * type.bytes], type.bytes) == 0);
          std::memcpy(expected.data(), data.a.data(), width * type.bytes);
          std::memcpy(&expected[lane * type.bytes], &data.a[type.bytes], type.bytes);
          out = {};
          module.find(std::string("insert.") + type.name)(data.a.data(), nullptr, out.data(), mask, scalar);
          CHECK(out == expected);
          countCase();
        }
    }
}
