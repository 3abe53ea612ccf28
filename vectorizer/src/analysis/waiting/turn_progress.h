// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Proves that a loop makes progress: another turn follows only where some work-item has got ahead, so the loop does not
// wait for one. Two kinds of loops are recognized:
//
//   do { old = *sum; } while (atomic_cmpxchg(sum, old, old + x) != old);
//     The exchange fails only if another work-item has changed *sum in the meantime.
//   while ((i = atomic_inc(next)) < count) …
//     A counter comes nearer to its end in each turn.
//
// Such a loop needs no yields. The proof has to hold, since a lane would wait forever in a loop that is wrongly taken
// for one of these. Without a proof, progress may still be likely, if it depends on what programs usually do:
//
//   while ((i = atomic_inc(next)) < count) atomic_add(&sums[i & 7], weights[i]);
//     Likely if two arguments point to different memory, and an amount that is added is positive.
//   do { if (leads) i = atomic_inc(next); i = sub_group_reduce_max(i); } while (i < count);
//     Likely if some lane of each sub-group leads. It is proved only where lane 0 takes the counter and broadcasts it.
//   while (atomic_inc(tries) < 1000000000 && !atomic_load(flag)) {}
//     Likely only: the counter has very far to go, or its first value is unknown, and something else ends the loop,
//     too.
//   while (atomic_inc(next) < atomic_load(count)) …
//     Likely only: others may move the end.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/InstrTypes.h"

namespace llvm {
class AAResults;
class AtomicCmpXchgInst;
class AtomicRMWInst;
class CallBase;
class ICmpInst;
class Instruction;
class LoadInst;
class Loop;
class PHINode;
class StoreInst;
class Value;
} // namespace llvm

namespace lanecl::vectorizer {

// Whether the two pointers lead to memory that two different arguments of the kernel point to. Programs seldom pass the
// same memory by both.
bool areDifferentArguments(const llvm::Value &a, const llvm::Value &b, llvm::AAResults &aliases);

// Judges one loop, with the given certainty.
class TurnProgress {
public:
  enum Certainty { kProved, kLikely };

  // `asks_elsewhere`: whether reads of several memory locations decide whether the loop ends.
  TurnProgress(const llvm::Loop &loop, llvm::AAResults &aliases, Certainty certainty, bool asks_elsewhere)
      : loop(loop), aliases(aliases), certainty(certainty), asks_elsewhere(asks_elsewhere) {}

  // Whether every turn that is followed by another one makes progress.
  bool inEachTurn() const;

private:
  // How a value changes from turn to turn.
  enum Direction { kFalls = -1, kUnknown = 0, kRises = 1 };

  bool isSaidBy(llvm::Value &condition, bool is) const;
  bool isSaidBy(const llvm::ICmpInst &compare, bool is) const;
  const llvm::AtomicCmpXchgInst *testedExchange(const llvm::Value &condition) const;
  bool isOptimistic(const llvm::AtomicCmpXchgInst &exchange) const;
  bool isBeforeItsEnd(llvm::CmpInst::Predicate predicate, const llvm::Value &x, const llvm::Value &y) const;
  Direction directionOf(const llvm::Value &value) const;
  bool comesTo(const llvm::Value &end, Direction direction, bool is_unsigned) const;
  bool isFixed(const llvm::Value &value) const;
  Direction directionOf(const llvm::CallBase &call) const;
  Direction directionOf(const llvm::LoadInst &load) const;
  Direction directionOf(const llvm::PHINode &phi) const;
  Direction directionOf(const llvm::AtomicRMWInst &update) const;
  int signOf(const llvm::AtomicRMWInst &update) const;
  bool mayChange(const llvm::Instruction &other, const llvm::AtomicRMWInst &update) const;

  const llvm::Loop &loop;
  llvm::AAResults &aliases;
  const Certainty certainty;
  const bool asks_elsewhere;
};

} // namespace lanecl::vectorizer
