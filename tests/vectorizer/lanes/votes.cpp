// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Votes agree with bit counting on the host, and the test of a mask is the one instruction it should be.
#include "harness.h"

#include "lanes/cross_lane/votes.h"

#include <bit>
#include <catch2/catch.hpp>

using namespace lanecl::vectorizer::lanes;
using namespace lanecl::vectorizer::lanes::test;

namespace {

using EmitVote = llvm::Value *(*)(const LaneContext &, llvm::Value *);

struct Vote {
  const char *name;
  EmitVote emit;
  uint64_t (*expected)(uint64_t mask, unsigned width);
};

const Vote kVotes[] = {
    {"any", emitAny, [](uint64_t mask, unsigned) { return uint64_t(mask != 0); }},
    {"all", emitAll, [](uint64_t mask, unsigned width) { return uint64_t(std::popcount(mask) == int(width)); }},
    {"ballot", emitBallot, [](uint64_t mask, unsigned) { return mask; }},
    {"count", emitActiveCount, [](uint64_t mask, unsigned) { return uint64_t(std::popcount(mask)); }},
    {"first", emitFirstActive, [](uint64_t mask, unsigned) { return uint64_t(mask ? std::countr_zero(mask) : 0); }},
    {"last", emitLastActive, [](uint64_t mask, unsigned) { return uint64_t(mask ? 63 - std::countl_zero(mask) : 0); }},
};

} // namespace

TEST_CASE("votes agree with the host", "[votes]") {
  std::mt19937_64 random(3);
  for (const TestIsa &isa : hostIsas())
    for (unsigned width : kWidths) {
      LaneModule module(isa, width);
      for (const Vote &vote : kVotes)
        for (bool full : {false, true})
          module.add(std::string(vote.name) + (full ? ".full" : ""), [&](const LaneContext &c, const Parameters &p) {
            llvm::Value *result = vote.emit(c, full ? nullptr : p.mask);
            c.b.CreateStore(c.b.CreateZExt(result, c.b.getInt64Ty()), p.out);
          });
      module.add("all.active", [](const LaneContext &c, const Parameters &p) {
        llvm::Value *predicate = c.b.CreateTrunc(p.scalar, c.b.getIntNTy(c.width));
        llvm::Value *result = emitAllActive(c, c.b.CreateBitCast(predicate, c.maskType()), p.mask);
        c.b.CreateStore(c.b.CreateZExt(result, c.b.getInt64Ty()), p.out);
      });
      module.compile();
      const uint64_t all = width == 64 ? ~uint64_t(0) : (uint64_t(1) << width) - 1;
      for (uint64_t mask : interestingMasks(width, random)) {
        INFO(isa.name << " W=" << width << " mask " << mask);
        uint64_t out = 0;
        for (const Vote &vote : kVotes) {
          INFO(vote.name);
          module.find(vote.name)(nullptr, nullptr, &out, mask, 0);
          CHECK(out == vote.expected(mask, width));
          module.find(std::string(vote.name) + ".full")(nullptr, nullptr, &out, mask, 0);
          CHECK(out == vote.expected(all, width));
          countCase();
        }
        for (uint64_t predicate : {mask, mask & random(), random()}) {
          module.find("all.active")(nullptr, nullptr, &out, mask, predicate);
          CHECK(out == uint64_t((mask & ~predicate) == 0));
        }
      }
    }
}
