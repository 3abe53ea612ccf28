// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What sub-group functions give to the work-items that call them, and where they are refused.
#include "tests/kernels.h"

#include "evaluate/operations.h"

#include <catch2/catch.hpp>

using namespace lanecl::fuzz;

namespace {

constexpr uint64_t kUntouched = 0xffffffb3; // -77
const ExprPtr kLane = ask(Query::LaneId);

ExprPtr odd() {
  return op(Op::And, kLane, number(1));
}

} // namespace

TEST_CASE("a reduction combines the values of its callers only", "[sub-groups]") {
  Kernel kernel = kernelOf(kInt);
  kernel.functions[0].body = {
      branch(odd(), {call(SubGroupFunction::ReduceAdd, {kLane}), storeVariable()}),
      branch(op(Op::Equal, kLane, number(4)), {call(SubGroupFunction::ExclusiveMin, {kLane}), storeVariable()})};
  Unguarded unguarded;
  const Contents contents = run(kernel, unguarded);
  CHECK(unguarded.empty());
  CHECK(contents[kOut][0] == kUntouched);
  CHECK(contents[kOut][1] == 64);
  CHECK(contents[kOut][4] == INT32_MAX);
  CHECK(contents[kOut][15] == 64);
}

TEST_CASE("a lane that does not call has no value", "[sub-groups]") {
  Kernel kernel = kernelOf(kInt);
  const auto shuffled = [&](unsigned mask) {
    kernel.functions[0].body = {
        branch(odd(), {call(SubGroupFunction::ShuffleXor, {kLane, constant(kUInt, mask)}), storeVariable()})};
  };
  Unguarded none, some;
  shuffled(6);
  CHECK(run(kernel, none)[kOut][3] == 5);
  CHECK(none.empty());
  shuffled(1);
  CHECK(run(kernel, some)[kOut][3] == 0);
  CHECK(some.calls.size() == 1);
}

TEST_CASE("a lane beyond a partial sub-group has no value", "[sub-groups]") {
  Kernel kernel = kernelOf(kInt);
  kernel.launches = {{.global = {12}, .local = {12}}};
  kernel.functions[0].body = {call(SubGroupFunction::IntelShuffleDown, {kLane, number(7), constant(kUInt, 8)}),
                              storeVariable()};
  Unguarded at_8, at_16;
  CHECK(run(kernel, at_8, 8)[kOut][1] == 7);
  CHECK(at_8.empty());
  CHECK(run(kernel, at_16, 16)[kOut][1] == 9); // lanes 4 to 11 get the values of lanes 12 and up
  CHECK_FALSE(at_16.empty());
}

TEST_CASE("an operand that must be the same in all lanes is checked", "[sub-groups]") {
  Kernel kernel = kernelOf(kInt);
  Unguarded unguarded;
  const ExprPtr lane = make({.kind = Expr::Kind::Query, .type = kUInt, .query = Query::LaneId});
  kernel.functions[0].body = {call(SubGroupFunction::Broadcast, {kLane, lane})};
  CHECK_THROWS_AS(run(kernel, unguarded), Rejected);
  kernel.functions[0].body = {call(SubGroupFunction::WorkGroupReduceAdd, {kLane})};
  CHECK_NOTHROW(run(kernel, unguarded));
  kernel.functions[0].body = {branch(odd(), kernel.functions[0].body)};
  CHECK_THROWS_AS(run(kernel, unguarded), Rejected);
}

TEST_CASE("blocks are for whole sub-groups", "[sub-groups]") {
  Kernel kernel = kernelOf(kUInt);
  kernel.memories.push_back({.role = MemoryObject::Role::LocalScratch, .name = "through", .type = kUInt, .count = 4});
  Stmt write =
      call(SubGroupFunction::BlockWrite,
           {make({.kind = Expr::Kind::Construct,
                  .type = {Base::UInt, 2},
                  .args = {constant(kUInt, 3), make({.kind = Expr::Kind::Convert, .type = kUInt, .args = {kLane}})}}),
            constant(kUInt, 9)},
           {Base::UInt, 2});
  write.number = 1;
  write.memory = 2;
  kernel.functions[0].body = {write, storeVariable()};
  Unguarded unguarded;
  CHECK(run(kernel, unguarded)[kOut][0] == 9);
  kernel.functions[0].body = {branch(odd(), {write})};
  CHECK_THROWS_AS(run(kernel, unguarded), Rejected);
}

TEST_CASE("floating-point sums follow the order that is documented", "[sub-groups]") {
  // One, and fifteen numbers that are too small to change it when added one by one. In a tree, the small ones are added
  // to each other first.
  Kernel kernel = kernelOf(kUInt);
  const auto bits = [](float value) { return int64_t(fromFloat(value)); };
  const ExprPtr first = op(Op::Equal, kLane, number(0));
  const ExprPtr value = make({.kind = Expr::Kind::Select,
                              .type = kUInt,
                              .args = {first, constant(kUInt, bits(1.0f)), constant(kUInt, bits(0x1p-25f))}});
  const Type type{Base::Float, 1};
  const ExprPtr number = make({.kind = Expr::Kind::Reinterpret, .type = type, .args = {value}});
  kernel.functions[0].body = {call(SubGroupFunction::ReduceAdd, {number}, type), storeVariable()};
  Unguarded unguarded;
  CHECK(toFloat(run(kernel, unguarded)[kOut][0]) == 1.0f + 3 * 0x1p-23f);
}

TEST_CASE("ballots hold the bits of the callers", "[sub-groups]") {
  Kernel kernel = kernelOf({Base::UInt, 4});
  const ExprPtr low = make({.kind = Expr::Kind::Component,
                            .type = kUInt,
                            .args = {make({.kind = Expr::Kind::Variable, .type = {Base::UInt, 4}})}});
  kernel.functions[0].body = {
      branch(odd(), {call(SubGroupFunction::Ballot, {op(Op::Less, kLane, number(6))}), store(kOut, kLane, low)})};
  Unguarded unguarded;
  CHECK(run(kernel, unguarded)[kOut][1] == 0b101010);
}

TEST_CASE("barriers and prefetches change nothing and need whole sub-groups", "[sub-groups]") {
  Kernel kernel = emptyKernel();
  kernel.memories.push_back({.role = MemoryObject::Role::Input, .name = "in", .type = kUInt, .count = 64});
  Stmt prefetch = call(SubGroupFunction::BlockPrefetch, {constant(kUInt, 2)}, kUInt);
  prefetch.memory = 2;
  for (const Stmt &s : {prefetch, call(SubGroupFunction::SubGroupBarrier, {})}) {
    Unguarded unguarded;
    kernel.functions[0].body = {s};
    CHECK(run(kernel, unguarded)[kOut][3] == kUntouched);
    kernel.functions[0].body = {branch(odd(), {s})};
    CHECK_THROWS_AS(run(kernel, unguarded), Rejected);
  }
}

TEST_CASE("halves of a work-group add up", "[sub-groups]") {
  Kernel kernel = kernelOf({Base::UShort, 1});
  const ExprPtr three =
      make({.kind = Expr::Kind::Reinterpret, .type = {Base::Half, 1}, .args = {constant({Base::UShort, 1}, 0x4200)}});
  kernel.functions[0].body = {call(SubGroupFunction::WorkGroupReduceAdd, {three}, {Base::Half, 1}), storeVariable()};
  Unguarded unguarded;
  CHECK(run(kernel, unguarded, 8)[kOut][5] == 0x5200); // 48
}
