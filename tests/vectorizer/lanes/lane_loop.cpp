// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The loop over the active lanes: which lanes it visits, in which order, and what it collects.
#include "harness.h"

#include "lanes/cross_lane/permute.h"
#include "lanes/lane_loop.h"

#include <array>
#include <catch2/catch.hpp>

using namespace lanecl::vectorizer::lanes;
using namespace lanecl::vectorizer::lanes::test;

namespace {

// Appends each visited lane's number to the list at `out`, whose length is its first word.
void appendLane(llvm::IRBuilderBase &b, llvm::Value *lane, llvm::Value *out) {
  llvm::Type *i32 = b.getInt32Ty();
  llvm::Value *count = b.CreateAdd(b.CreateLoad(i32, out), b.getInt32(1));
  b.CreateStore(count, out);
  b.CreateStore(lane, b.CreateGEP(i32, out, count));
}

// Squares the odd elements of a and negates the even ones, on two paths, so that the body has blocks of its own.
llvm::Value *squareOrNegate(llvm::IRBuilderBase &b, llvm::Value *x) {
  llvm::BasicBlock *before = b.GetInsertBlock();
  llvm::Function *function = before->getParent();
  auto *odd = llvm::BasicBlock::Create(b.getContext(), "odd", function);
  auto *join = llvm::BasicBlock::Create(b.getContext(), "join", function);
  llvm::Value *negated = b.CreateNeg(x);
  b.CreateCondBr(b.CreateTrunc(x, b.getInt1Ty()), odd, join);
  b.SetInsertPoint(odd);
  llvm::Value *squared = b.CreateMul(x, x);
  b.CreateBr(join);
  b.SetInsertPoint(join);
  llvm::PHINode *result = b.CreatePHI(x->getType(), 2);
  result->addIncoming(squared, odd);
  result->addIncoming(negated, before);
  return result;
}

void addLoops(LaneModule &module) {
  for (bool full : {false, true}) {
    const std::string suffix = full ? ".full" : "";
    module.add("visit" + suffix, [&](const LaneContext &c, const Parameters &p) {
      emitLaneLoop(c, full ? nullptr : p.mask,
                   [&](llvm::IRBuilderBase &b, llvm::Value *lane) { appendLane(b, lane, p.out); });
    });
    module.add("collect" + suffix, [&](const LaneContext &c, const Parameters &p) {
      llvm::Value *v = loadLanes(c, c.b.getInt32Ty(), p.a);
      const auto results =
          emitLaneLoopCollect(c, full ? nullptr : p.mask, {c.b.getInt32Ty(), c.b.getInt1Ty()},
                              [&](llvm::IRBuilderBase &b, llvm::Value *lane) {
                                llvm::Value *x = squareOrNegate(b, emitBroadcast(c, v, lane));
                                return llvm::SmallVector<llvm::Value *, 4>{x, b.CreateICmpSLT(x, b.getInt32(0))};
                              });
      storeLanes(c, results[0], p.out);
      storeLanes(c, results[1], c.b.CreatePtrAdd(p.out, c.b.getInt64(64 * 4)));
    });
  }
  // The insertion point is in the middle of a finished block, before a phi's predecessor ends.
  module.add("middle", [](const LaneContext &c, const Parameters &p) {
    llvm::Function *function = c.b.GetInsertBlock()->getParent();
    llvm::BasicBlock *first = c.b.GetInsertBlock();
    auto *last = llvm::BasicBlock::Create(c.b.getContext(), "last", function);
    llvm::Instruction *jump = c.b.CreateBr(last);
    c.b.SetInsertPoint(last);
    llvm::PHINode *phi = c.b.CreatePHI(c.b.getInt32Ty(), 1);
    phi->addIncoming(c.b.getInt32(7), first);
    c.b.CreateStore(phi, c.b.CreatePtrAdd(p.out, c.b.getInt64(65 * 4)));
    c.b.SetInsertPoint(jump);
    emitLaneLoop(c, p.mask, [&](llvm::IRBuilderBase &b, llvm::Value *lane) { appendLane(b, lane, p.out); });
    c.b.SetInsertPoint(last);
  });
}

struct Visits {
  std::array<uint32_t, 66> words{};
};

Visits expectedVisits(uint64_t mask) {
  Visits visits;
  for (; mask != 0; mask &= mask - 1)
    visits.words[++visits.words[0]] = uint32_t(__builtin_ctzll(mask));
  return visits;
}

struct Collected {
  std::array<uint32_t, 64> values{};
  std::array<uint8_t, 64> negative{};
};

Collected expectedCollection(const std::array<uint32_t, 64> &a, uint64_t mask) {
  Collected collected;
  for (unsigned lane = 0; lane < 64; ++lane)
    if (mask >> lane & 1) {
      collected.values[lane] = a[lane] & 1 ? a[lane] * a[lane] : -a[lane];
      collected.negative[lane] = int32_t(collected.values[lane]) < 0;
    }
  return collected;
}

void checkMask(LaneModule &module, unsigned width, uint64_t mask, bool full, std::mt19937_64 &random) {
  const std::string suffix = full ? ".full" : "";
  const uint64_t active = full ? (width == 64 ? ~uint64_t(0) : (uint64_t(1) << width) - 1) : mask;
  Visits visits;
  module.find("visit" + suffix)(nullptr, nullptr, visits.words.data(), mask, 0);
  CHECK(visits.words == expectedVisits(active).words);
  std::array<uint32_t, 64> a;
  fillRandom(a.data(), sizeof a, random);
  Collected collected;
  module.find("collect" + suffix)(a.data(), nullptr, &collected, mask, 0);
  const Collected expected = expectedCollection(a, active);
  CHECK(collected.values == expected.values);
  CHECK(collected.negative == expected.negative);
  countCase();
}

} // namespace

TEST_CASE("the lane loop visits the active lanes in order", "[lane_loop]") {
  std::mt19937_64 random(7);
  for (const TestIsa &isa : hostIsas())
    for (unsigned width : kWidths) {
      LaneModule module(isa, width);
      addLoops(module);
      module.compile();
      for (uint64_t mask : interestingMasks(width, random)) {
        INFO(isa.name << " W=" << width << " mask " << mask);
        checkMask(module, width, mask, false, random);
        checkMask(module, width, mask, true, random);
        Visits visits, expected = expectedVisits(mask);
        module.find("middle")(nullptr, nullptr, visits.words.data(), mask, 0);
        expected.words[65] = 7;
        CHECK(visits.words == expected.words);
      }
    }
}
