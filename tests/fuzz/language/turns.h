// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Turns: sub-groups of a work-group, or work-groups of a launch, wait in a loop until it is their turn.
#pragma once

#include <cstdint>

namespace lanecl::fuzz {

struct Turns {
  // Who comes when, of sub-groups; of work-groups Kernel::group_order.
  enum class Order : uint8_t { Ascending, Descending, Rotated, EvenFirst } order = Order::Ascending;
  // Which work-items wait: the first one, the last one, all, the first one and those for which the last value holds,
  // or, of a sub-group, each after the other. One of them takes the turn, the first one where there are several; if
  // each waits, each takes it, and the last one gives it to the next sub-group. In step, all of them wait together and
  // each takes its turn in the loop, instead of one loop after the other.
  enum class Who : uint8_t { First, Last, All, Some, Each, InStep } who = Who::First;
  // The last three are entered in the middle: by a goto, by a switch, at one of two labels.
  enum class Loop : uint8_t { While, DoWhile, Endless, Goto, Switch, TwoLabels } loop = Loop::While;
  // How it is asked whose turn it is: with orders and scopes of OpenCL 2.0, without, by a volatile read, and by
  // functions of OpenCL 1.2 that change nothing.
  enum class Ask : uint8_t { Acquire, Plain, Volatile, Or, Exchange } ask = Ask::Acquire;
  // How it is given to the next one.
  enum class Give : uint8_t { Release, FetchAdd, Plain, Volatile, Increment, Add, Exchange } give = Give::Release;
  // Where the answer is stored before the loop reads it: one of two variables that a pointer chooses, or two cells of
  // local memory; two arrays that change places; a function's output; a ring of answers; a word of the sub-group's
  // first work-item. Where all wait, the least answer of all, or the first work-item's.
  enum class Via : uint8_t { Nothing, Variable, Cell, Arrays, Output, Ring, Word, Least, Broadcast } via = Via::Nothing;
  // A counter that would end the loop, too, but never reaches its end. Counter, Word, WordForAll: the end is far away,
  // and the counter is a variable, a word of local memory, or a word that the first work-item increments for all.
  // NoSteps: the counter's step is loaded from memory and is zero. Compared: two words are counted and compared with
  // each other, which ends nothing.
  enum class Beside : uint8_t { Nothing, Counter, Word, WordForAll, NoSteps, Compared } beside = Beside::Nothing;
  bool late = false;    // the value is computed when the turn has come, by who takes it
  bool keeps = false;   // what was found goes to who takes the turn only
  bool passes = false;  // the loop ends as well when the turn has gone
  bool is_wide = false; // the scope is wider than needed
};
inline constexpr unsigned kTurnOrders = 4, kTurnWaiters = 5, kTurnLoops = 6, kTurnAsks = 5, kTurnGives = 7,
                          kTurnVias = 9, kTurnBesides = 6;

// Which one of `count` is the number `i`.
constexpr uint64_t positionOf(Turns::Order order, uint64_t i, uint64_t count, uint32_t rotation) {
  switch (order) {
  case Turns::Order::Ascending: return i;
  case Turns::Order::Descending: return count - 1 - i;
  case Turns::Order::Rotated: return (i + rotation % count) % count;
  case Turns::Order::EvenFirst: return i % 2 == 0 ? i / 2 : (count + 1) / 2 + i / 2;
  }
  return i;
}

inline constexpr unsigned kGroupRotation = 3; // of work-groups

// What the turn makes of what it found.
inline constexpr uint32_t kTurnFactor = 5;
constexpr uint32_t afterTurn(uint64_t found, uint64_t value) {
  return uint32_t(found) * kTurnFactor + uint32_t(value);
}

// Memory of turns: whose turn it is, what they hand on, which work-item's turn it is in step, a counter, a zero, and
// two more counters. Turns of work-groups each have such cells of their own, because work-groups are evaluated one
// after the other. Behind those of sub-groups are a word of each sub-group and two cells of each work-item.
inline constexpr unsigned kTurnCells = 7, kMostRelays = 64;
inline constexpr unsigned kMostWaitingSubGroups = 128, kMostWaitingItems = 1024;
inline constexpr unsigned kAllTurnCells = kTurnCells + kMostWaitingSubGroups + 2 * kMostWaitingItems;

} // namespace lanecl::fuzz
