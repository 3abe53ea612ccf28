// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Turns of sub-groups and of work-groups: what each participant finds, and which turns would be waited for forever.
#include "tests/kernels.h"

#include "print/print.h"
#include "reduce/reduce.h"

#include <catch2/catch.hpp>

#include <set>

using namespace lanecl::fuzz;

namespace {

constexpr unsigned kShared = 2; // number of the memory object

ExprPtr askUInt(Query query) {
  return make({.kind = Expr::Kind::Query, .type = kUInt, .query = query});
}

// Makes a kernel in which v0, which is 9 before, becomes what was found. Each participant adds its number among those
// who take turns, plus one.
Kernel kernelWith(MemoryObject::Role role, Turns turns) {
  Kernel kernel = kernelOf(kUInt);
  const bool relays = role == MemoryObject::Role::Relay;
  kernel.memories.push_back(
      {.role = role, .name = "shared", .type = kUInt, .count = relays ? kTurnCells * kMostRelays : kAllTurnCells});
  kernel.launches = {{.global = {20}, .local = {relays ? 7u : 20u}}};
  const ExprPtr number = make({.kind = Expr::Kind::Operation,
                               .type = kUInt,
                               .args = {askUInt(relays ? Query::GroupId : Query::SubGroupId), constant(kUInt, 1)}});
  kernel.functions[0].body = {{.kind = Stmt::Kind::Declare, .values = {constant(kUInt, 9)}},
                              {.kind = Stmt::Kind::TakeTurns, .values = {number}, .memory = kShared, .turns = turns},
                              store(kOut, ask(Query::GlobalId), make({.kind = Expr::Kind::Variable, .type = kUInt}))};
  return kernel;
}

std::vector<uint64_t> outOf(Kernel kernel) {
  Unguarded unguarded;
  return run(kernel, unguarded, 8)[kOut];
}

} // namespace

TEST_CASE("every order of turns is a permutation", "[evaluation]") {
  for (unsigned order = 0; order < kTurnOrders; ++order)
    for (uint64_t count = 1; count < 10; ++count) {
      std::set<uint64_t> positions;
      for (uint64_t i = 0; i < count; ++i)
        positions.insert(positionOf(Turns::Order(order), i, count, UINT32_MAX - 2));
      CHECK(positions.size() == count);
      CHECK(*positions.rbegin() == count - 1);
    }
}

TEST_CASE("sub-groups find what the ones before them left", "[evaluation]") {
  const auto out = outOf(kernelWith(MemoryObject::Role::Turns, {.order = Turns::Order::Descending}));
  CHECK(out[19] == 0);
  CHECK(out[8] == 3);
  CHECK(out[7] == 3 * kTurnFactor + 2);
}

TEST_CASE("only one work-item keeps what it found", "[evaluation]") {
  const auto out = outOf(kernelWith(MemoryObject::Role::Turns, {.who = Turns::Who::Last, .keeps = true}));
  CHECK(out[7] == 0);
  CHECK(out[14] == 9);
  CHECK(out[19] == kTurnFactor + 2); // of a sub-group that is not full
}

TEST_CASE("the work-items of a sub-group take turns one after the other", "[evaluation]") {
  const auto out = outOf(kernelWith(MemoryObject::Role::Turns, {.who = Turns::Who::Each}));
  CHECK(out[0] == 0);
  CHECK(out[1] == 1);
  CHECK(out[2] == kTurnFactor + 1);
  CHECK(out[9] == uint32_t(out[8] * kTurnFactor + 2));
}

TEST_CASE("turns are refused if some work-items do not reach them or disagree on the order", "[evaluation]") {
  Kernel kernel = kernelWith(MemoryObject::Role::Turns, {.order = Turns::Order::Rotated});
  Stmt &turn = kernel.functions[0].body[1];
  turn.values.push_back(constant(kUInt, 7));
  CHECK(outOf(kernel)[16] == 0); // the third of three sub-groups, rotated by seven
  turn.values.back() = askUInt(Query::SubGroupId);
  CHECK_THROWS_AS(outOf(kernel), Rejected);
  turn.values.back() = constant(kUInt, 7);
  turn = branch(op(Op::Less, ask(Query::SubGroupId), number(2)), {turn});
  CHECK_THROWS_AS(outOf(kernel), Rejected);
}

TEST_CASE("work-groups take turns in the kernel's order", "[evaluation]") {
  Kernel kernel = kernelWith(MemoryObject::Role::Relay, {});
  CHECK(outOf(kernel)[19] == kTurnFactor + 2);
  kernel.group_order = Turns::Order::Descending;
  const auto out = outOf(kernel);
  CHECK(out[19] == 0);
  CHECK(out[0] == 3 * kTurnFactor + 2);
}

TEST_CASE("no work-group waits for one that has returned", "[evaluation]") {
  Kernel kernel = kernelWith(MemoryObject::Role::Relay, {});
  const auto returnIn = [&](int64_t group) {
    kernel.functions[0].body[0] =
        branch(op(Op::Equal, ask(Query::GroupId), number(group)), {{.kind = Stmt::Kind::Return}});
  };
  returnIn(2); // in the last work-group
  CHECK(outOf(kernel)[7] == 1);
  returnIn(1);
  CHECK_THROWS_AS(outOf(kernel), Rejected);
}

TEST_CASE("a turn that is needed is kept", "[reduction]") {
  const Kernel kernel = kernelWith(MemoryObject::Role::Turns, {.order = Turns::Order::EvenFirst});
  const auto textOf = [](const Kernel &k) { return print({&k}, false).source; };
  // The device is assumed to fail on turns of two sub-groups.
  const Kernel small = reduce(kernel, [&](const Kernel &candidate) {
    try {
      return outOf(candidate).size() > 8 && textOf(candidate).find("place[1] = found") != std::string::npos;
    } catch (const Rejected &) {
      return false;
    }
  });
  INFO(textOf(small));
  CHECK(small.launches[0].items() == 9);
  CHECK(small.functions[0].body.size() == 2); // the declaration and the turn
}
