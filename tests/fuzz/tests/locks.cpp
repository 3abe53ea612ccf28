// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Locks: what the protected sums are at the end, whatever the order in which the locks are taken.
#include "tests/kernels.h"

#include "print/print.h"

#include <catch2/catch.hpp>

using namespace lanecl::fuzz;

namespace {

constexpr unsigned kShared = 2, kSharedLocal = 3; // numbers of memory objects
constexpr unsigned kLock = 1;

// Makes a kernel in which 20 work-items in work-groups of 7 add 3 each.
Kernel kernelWith(Locking locking, unsigned memory = kShared) {
  Kernel kernel = kernelOf(kUInt);
  kernel.memories.push_back(
      {.role = MemoryObject::Role::Locks, .name = "locks", .type = kUInt, .count = kAllLockCells});
  kernel.memories.push_back(
      {.role = MemoryObject::Role::LocalLocks, .name = "local_locks", .type = kUInt, .count = kLockCells});
  kernel.launches = {{.global = {20}, .local = {7}}};
  kernel.functions[0].body = {{.kind = Stmt::Kind::Lock,
                               .values = {constant(kUInt, kLock), constant(kUInt, 3), constant(kUInt, 1)},
                               .memory = memory,
                               .locking = locking}};
  return kernel;
}

std::vector<uint64_t> locksOf(Kernel kernel) {
  Unguarded unguarded;
  return run(kernel, unguarded, 8)[kShared];
}

unsigned at(LockSum sum, unsigned group = 0) {
  return kLockCells + kLockSums * group + unsigned(sum) * kLocks + kLock;
}

} // namespace

TEST_CASE("a lock protects the sum of all work-items", "[evaluation]") {
  for (unsigned shape = 0; shape < kLockShapes; ++shape) {
    const auto found = locksOf(kernelWith({.shape = Locking::Shape(shape), .nested = true}));
    CHECK(found[at(LockSum::OfLocks)] == 60);
    CHECK(found[at(LockSum::OfInner)] == 20);
    CHECK(found[kLock] == 0); // the lock is free
  }
  const auto found = locksOf(kernelWith({.shape = Locking::Shape::Counted, .rounds = 3}));
  CHECK(found[at(LockSum::OfLocks)] == 180);
}

TEST_CASE("the numbers of tickets go up", "[evaluation]") {
  const auto found = locksOf(kernelWith({.way = Locking::Way::Ticket}));
  CHECK(found[at(LockSum::OfTickets)] == 60);
  CHECK(found[unsigned(LockCell::Ticket) * kLocks + kLock] == 20);
  CHECK(found[unsigned(LockCell::Called) * kLocks + kLock] == 20);
}

TEST_CASE("locks of work-groups protect the work-groups' own sums", "[evaluation]") {
  const auto found = locksOf(kernelWith({.way = Locking::Way::Mailbox}, kSharedLocal));
  CHECK(found[at(LockSum::OfMail, 1)] == 21);
  CHECK(found[at(LockSum::OfMail, 3)] == 18);
  CHECK(found[at(LockSum::OfMail)] == 0);
  Kernel many = kernelWith({}, kSharedLocal);
  many.launches[0].global = {7 * kMostLockingGroups + 1};
  CHECK_THROWS_AS(locksOf(many), Rejected);
}

TEST_CASE("every form of a lock is printed with a loop that can end", "[evaluation]") {
  for (unsigned way = 0; way < kLockWays; ++way)
    for (unsigned shape = 0; shape < kLockShapes; ++shape) {
      const Kernel kernel = kernelWith({.way = Locking::Way(way), .shape = Locking::Shape(shape), .branches = true});
      const std::string text = print({&kernel}, false).source;
      INFO(text);
      const bool leaves = text.find("done") != std::string::npos || text.find("break;") != std::string::npos ||
                          text.find("goto again") != std::string::npos || text.find("--left") != std::string::npos ||
                          text.find("state = 2u") != std::string::npos;
      CHECK(leaves);
    }
}
