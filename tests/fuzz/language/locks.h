// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Updates under a lock that a work-item gives back in the branch in which it took it, by tickets, and through a
// mailbox: what ends although the work-items of a sub-group run in lock-step (docs/sub-groups.md).
#pragma once

#include <cstdint>

namespace lanecl::fuzz {

struct Locking {
  // How the lock is taken and given back: by functions of OpenCL 1.2, by a compare-exchange with orders, by a flag, by
  // an exchange and a volatile write, by an increment that a store undoes, by a bit that a loop of compare-exchanges
  // sets. By tickets: it belongs to the one whose number is called. Through a mailbox: each puts in its value when it
  // is empty and takes out a value, its own or another one's, when it is full.
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
  // The loop around it. Counted: until the lock was taken `rounds` times. GivingUp: or after very many turns. States:
  // the lock is given back in the turn after the one that took it. Entered: a goto leads into the middle of the
  // loop. FlagInArray: the flag that ends the loop is an element of an array.
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

// Memory of locks: kLocks cells of each kind. Locks in local memory protect sums in global memory: there, those of the
// work-groups are behind those of all.
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
