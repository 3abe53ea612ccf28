// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Updates under a lock that a work-item gives back in the branch in which it took it, updates by tickets, and updates
// through a mailbox. All of these end although the work-items of a sub-group run in lock-step (docs/sub-groups.md).
#pragma once

#include <cstdint>

namespace lanecl::fuzz {

struct Locking {
  // How the lock is taken and given back.
  // - Compare: by functions of OpenCL 1.2. CompareExplicit: by a compare-exchange with memory orders. Flag: by a flag.
  // - Exchange: by an exchange and a volatile write. Increment: by an increment that a store undoes.
  // - Bit: by a bit that a loop of compare-exchanges sets.
  // - Ticket: the lock belongs to the work-item whose number is called.
  // - Mailbox: each work-item puts its value into the mailbox when it is empty, and takes out a value, its own or
  //   another one's, when it is full.
  enum class Way : uint8_t {
    Compare,
    CompareExplicit,
    Flag,
    Exchange,
    Increment,
    Bit,
    Ticket,
    Mailbox
  } way = Way::Compare;
  // The loop around the lock. Counted: until the lock was taken `rounds` times. GivingUp: the same, or after very many
  // turns. States: the lock is given back in the turn after the one that took it. Entered: a goto leads into the middle
  // of the loop. FlagInArray: the flag that ends the loop is an element of an array.
  enum class Shape : uint8_t {
    While,
    DoWhile,
    Counted,
    GivingUp,
    Break,
    BreakInElse,
    Goto,
    GotoElse,
    Switch,
    States,
    Entered,
    FlagInArray
  } shape = Shape::While;
  bool calls = false;    // a function takes the lock
  bool late = false;     // the value is computed under the lock
  bool branches = false; // values[2] says in which of two branches the lock is given back
  bool nested = false;   // a second lock is taken and given back under the first one
  unsigned rounds = 1;
};
inline constexpr unsigned kLockWays = 8, kLockShapes = 12;

// The memory of locks has kLocks cells of each kind. Locks in local memory protect sums in global memory; there, the
// sums of the work-groups come after those of all work-groups.
enum class LockCell : unsigned { Lock, Ticket, Called, Mail, Letter, Inner };
enum class LockSum : unsigned { OfLocks, OfTickets, OfMail, OfInner };
inline constexpr unsigned kLocks = 4, kMostLockingGroups = 64;
inline constexpr unsigned kLockCells = 6 * kLocks, kLockSums = 4 * kLocks;
inline constexpr unsigned kAllLockCells = kLockCells + kLockSums * (1 + kMostLockingGroups);

constexpr LockSum sumOf(Locking::Way way) {
  return way == Locking::Way::Ticket    ? LockSum::OfTickets
         : way == Locking::Way::Mailbox ? LockSum::OfMail
                                        : LockSum::OfLocks;
}

} // namespace lanecl::fuzz
