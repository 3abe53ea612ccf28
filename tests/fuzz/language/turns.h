// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Turns: the sub-groups of a work-group, or the work-groups of a launch, wait in a loop until it is their turn.
#pragma once

#include <cstdint>

namespace lanecl::fuzz {

struct Turns {
  // The order of the sub-groups. Work-groups have the order Kernel::group_order.
  enum class Order : uint8_t { Ascending, Descending, Rotated, EvenFirst } order = Order::Ascending;
  // Which work-items wait. First, Last: only that one. All: all of them. Some: the first one, and those for which the
  // last value holds. One of the waiting work-items takes the turn, the first one if there are several.
  //
  // Each: the work-items of a sub-group wait one after the other in a loop each, every one takes the turn, and the last
  // one passes it to the next sub-group. InStep: all of them wait in one loop, in which every one takes its turn.
  enum class Who : uint8_t { First, Last, All, Some, Each, InStep } who = Who::First;
  // The last three are loops that are entered in the middle: by a goto, by a switch, or at one of two labels.
  enum class Loop : uint8_t { While, DoWhile, Endless, Goto, Switch, TwoLabels } loop = Loop::While;
  // How a work-item asks whose turn it is: with memory order and scope of OpenCL 2.0, without them, by a volatile read,
  // or by functions of OpenCL 1.2 that change nothing.
  enum class Ask : uint8_t { Acquire, Plain, Volatile, Or, Exchange } ask = Ask::Acquire;
  // How the turn is passed to the next one.
  enum class Give : uint8_t { Release, FetchAdd, Plain, Volatile, Increment, Add, Exchange } give = Give::Release;
  // Where the answer is stored before the loop reads it.
  // - Variable, Cell: one of two variables, or of two cells of local memory, that a pointer chooses.
  // - Arrays: two arrays that are swapped. Output: a function's output. Ring: a ring of answers.
  // - Word: a word that belongs to the sub-group, written by its first work-item.
  // - Least, Broadcast, if all wait: the least answer of all, or the first work-item's.
  enum class Via : uint8_t { Nothing, Variable, Cell, Arrays, Output, Ring, Word, Least, Broadcast } via = Via::Nothing;
  // A counter that would also end the loop, but never reaches its limit.
  // - Counter, Word, WordForAll: the limit is far away. The counter is a variable, a word of local memory, or a word
  //   that the first work-item increments for all.
  // - NoSteps: the counter's step is loaded from memory and is zero.
  // - Compared: two words are counted and compared with each other, which ends nothing.
  enum class Beside : uint8_t { Nothing, Counter, Word, WordForAll, NoSteps, Compared } beside = Beside::Nothing;
  bool late = false;    // the work-item that takes the turn computes the value only then
  bool keeps = false;   // only the work-item that takes the turn gets the value found
  bool passes = false;  // the loop also ends when the turn is over
  bool is_wide = false; // the scope is wider than necessary
};
inline constexpr unsigned kTurnOrders = 4, kTurnWaiters = 5, kTurnLoops = 6, kTurnAsks = 5, kTurnGives = 7,
                          kTurnVias = 9, kTurnBesides = 6;

// Returns which of `count` participants has the turn number `i`.
constexpr uint64_t positionOf(Turns::Order order, uint64_t i, uint64_t count, uint32_t rotation) {
  switch (order) {
  case Turns::Order::Ascending: return i;
  case Turns::Order::Descending: return count - 1 - i;
  case Turns::Order::Rotated: return (i + rotation % count) % count;
  case Turns::Order::EvenFirst: return i % 2 == 0 ? i / 2 : (count + 1) / 2 + i / 2;
  }
  return i;
}

inline constexpr unsigned kGroupRotation = 3; // rotation of work-groups

// What is handed on after a turn that has found the value `found`.
inline constexpr uint32_t kTurnFactor = 5;
constexpr uint32_t afterTurn(uint64_t found, uint64_t value) {
  return uint32_t(found) * kTurnFactor + uint32_t(value);
}

// The memory of turns has these cells: whose turn it is, what is handed on, which work-item's turn it is in step, a
// counter, a zero, and two more counters. Each turn of work-groups has such cells of its own, because work-groups are
// evaluated one after the other. After those of sub-groups come a word for each sub-group and two cells for each
// work-item.
inline constexpr unsigned kTurnCells = 7, kMostRelays = 64;
inline constexpr unsigned kMostWaitingSubGroups = 128, kMostWaitingItems = 1024;
inline constexpr unsigned kAllTurnCells = kTurnCells + kMostWaitingSubGroups + 2 * kMostWaitingItems;

} // namespace lanecl::fuzz
