// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Every work-item of every range runs exactly once, in work-groups of the right size.
#include "fixture.h"

#include <catch2/catch.hpp>

using namespace lanecl;
using namespace lanecl::scheduler;
using namespace lanecl::scheduler::test;

namespace {

// How often each work-item of an NDRange ran.
struct Grid {
  Sizes global;
  std::vector<std::atomic<int>> items;
  std::atomic<int> wrong_size{0};

  explicit Grid(Sizes size) : global(size), items(size[0] * size[1] * size[2]) {}
};

// Counts the work-items of a row of work-groups. `IsEdge` tells which of the launch's two functions this is: the one
// for full work-groups or the one for smaller ones at the edges.
template <bool IsEdge>
void visit(const abi::LaunchInfo *info, const abi::WorkerMemory *, const uint64_t *local, uint64_t x_begin,
           uint64_t x_end, uint64_t y, uint64_t z) {
  Grid &grid = stateOf<Grid>(info);
  const uint64_t *enqueued = info->enqueued_local_size;
  const bool full = local[0] == enqueued[0] && local[1] == enqueued[1] && local[2] == enqueued[2];
  if (full == IsEdge)
    ++grid.wrong_size;
  for (uint64_t x = x_begin; x < x_end; ++x)
    for (uint64_t k = z * enqueued[2]; k < z * enqueued[2] + local[2]; ++k)
      for (uint64_t j = y * enqueued[1]; j < y * enqueued[1] + local[1]; ++j)
        for (uint64_t i = x * enqueued[0]; i < x * enqueued[0] + local[0]; ++i)
          if (i < grid.global[0] && j < grid.global[1] && k < grid.global[2])
            ++grid.items[(k * grid.global[1] + j) * grid.global[0] + i];
          else
            ++grid.wrong_size;
}

// Launches the range and checks that every work-item ran exactly once.
void checkCoverage(Executor &device, Sizes global, Sizes local) {
  CAPTURE(global, local, device.threads());
  Grid grid(global);
  Launch launch = makeLaunch(visit<false>, global, local, &grid);
  launch.edge_entry = visit<true>;
  auto queue = device.createQueue(Order::InOrder);
  const DependencyPtr event = queue->enqueue(std::move(launch), {});
  event->wait();
  REQUIRE(event->status() == kComplete);
  REQUIRE(grid.wrong_size == 0);
  size_t not_once = 0;
  for (const auto &count : grid.items)
    not_once += count != 1;
  REQUIRE(not_once == 0);
}

} // namespace

TEST_CASE("uniform ranges are covered once", "[ndrange]") {
  for (unsigned threads : kThreadCounts) {
    auto device = makeDevice(threads);
    checkCoverage(*device, {1, 1, 1}, {1, 1, 1});
    checkCoverage(*device, {4096, 1, 1}, {16, 1, 1});
    checkCoverage(*device, {64, 48, 1}, {8, 4, 1});
    checkCoverage(*device, {24, 20, 18}, {4, 5, 3});
    checkCoverage(*device, {1, 1, 300}, {1, 1, 1});
    checkCoverage(*device, {1 << 18, 1, 1}, {1, 1, 1});
  }
}

TEST_CASE("smaller groups at every combination of edges", "[ndrange]") {
  for (unsigned threads : kThreadCounts) {
    auto device = makeDevice(threads);
    for (int edges = 1; edges < 8; ++edges)
      checkCoverage(*device, {32u + (edges & 1 ? 3 : 0), 20u + (edges & 2 ? 1 : 0), 12u + (edges & 4 ? 2 : 0)},
                    {8, 4, 3});
    checkCoverage(*device, {3, 1, 1}, {8, 1, 1}); // there is no full group at all
    checkCoverage(*device, {100003, 1, 1}, {16, 1, 1});
  }
}

TEST_CASE("random ranges are covered once", "[ndrange]") {
  auto device = makeDevice(0);
  uint64_t seed = 20240517;
  const auto next = [&seed](uint64_t most) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return 1 + (seed >> 33) % most;
  };
  for (int i = 0; i < 200; ++i)
    checkCoverage(*device, {next(70), next(30), next(9)}, {next(20), next(8), next(4)});
}

TEST_CASE("an empty range completes without running", "[ndrange]") {
  auto device = makeDevice(1);
  auto queue = device->createQueue(Order::InOrder);
  const DependencyPtr event = queue->enqueue(makeLaunch(visit<false>, {0, 1, 1}, {8, 1, 1}), {});
  event->wait();
  REQUIRE(event->status() == kComplete);
}

TEST_CASE("inconsistent launches fail", "[ndrange]") {
  auto device = makeDevice(1);
  auto queue = device->createQueue(Order::OutOfOrder);
  Grid grid({16, 1, 1});
  Launch no_edge = makeLaunch(visit<false>, {17, 1, 1}, {8, 1, 1}, &grid);
  Launch wrong_count = makeLaunch(visit<false>, {16, 1, 1}, {8, 1, 1}, &grid);
  wrong_count.info.num_groups[0] = 3;
  Launch zero_local = makeLaunch(visit<false>, {16, 1, 1}, {8, 1, 1}, &grid);
  zero_local.info.enqueued_local_size[1] = 0;
  Launch no_code = makeLaunch(nullptr, {16, 1, 1}, {8, 1, 1}, &grid);
  for (Launch *launch : {&no_edge, &wrong_count, &zero_local, &no_code}) {
    const DependencyPtr event = queue->enqueue(std::move(*launch), {});
    event->wait();
    CHECK(event->status() == kInvalidWorkGroupSize);
  }
}
