// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Interprets integer IR for all lanes of one sub-group and is strict about masks: a value that an inactive lane loads
// from memory is poison, and every broken rule of linearized code (see analysis/functions/markers.h) is an error. With
// one lane and no markers it is an ordinary interpreter, which gives the expected answer.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Function.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace lanecl::vectorizer::test {

// The value of one lane.
struct Cell {
  uint64_t bits = 0;
  bool poison = false;
};

// The observable effects of one lane.
struct LaneResult {
  std::vector<std::pair<uint64_t, uint32_t>> stores; // address and value, in the order of the stores
  uint64_t returned = 0;
  bool operator==(const LaneResult &) const = default;
};

// An interpreter for one run. Set the public members first, then call run() once.
struct Machine {
  // The number that the first lane reports as its lane id.
  unsigned first_lane = 0;
  unsigned lanes = 1;
  unsigned active = 1;             // how many lanes exist; these are the first ones
  std::vector<uint64_t> arguments; // the same in all lanes
  // reports whether a value is claimed to be uniform; each such value is checked; empty: no checks
  std::function<bool(const llvm::Value &)> claimed_uniform;

  // Runs the function and returns a result for each lane. `error` stays empty when the function reached its return and
  // broke no rule.
  std::vector<LaneResult> run(const llvm::Function &function);
  std::string error;

private:
  using Cells = std::vector<Cell>;

  // Records the first error; later ones are dropped.
  void fail(const llvm::Instruction &at, const std::string &why);
  Cells valueOf(const llvm::Value &value);
  void enterBlock(const llvm::BasicBlock *from, const llvm::BasicBlock *to);
  void execute(const llvm::Instruction &instruction);
  void executeCall(const llvm::CallInst &call);
  void executeMemory(const llvm::Instruction &instruction);
  // Computes an instruction without side effects for one lane.
  Cell compute(const llvm::Instruction &instruction, unsigned lane, const std::vector<Cells> &operands);
  void define(const llvm::Instruction &instruction, Cells cells);
  // Returns the block that the active lanes branch to, or null when no lane is active.
  const llvm::BasicBlock *successor(const llvm::Instruction &terminator);

  llvm::DenseMap<const llvm::Value *, Cells> values;
  // a memory for each lane, since lanes never share what they write
  std::vector<llvm::DenseMap<uint64_t, uint32_t>> memory;
  std::vector<bool> mask;
  std::vector<LaneResult> results;
  uint64_t steps = 0;
};

// The addresses of the machine's two arrays of i32. The kernel reads the first one; the second one has a part for each
// lane to write.
inline constexpr uint64_t kInput = 0x10000, kOutput = 0x20000;
// Returns what the array at kInput contains at that address.
uint32_t inputAt(uint64_t address);

} // namespace lanecl::vectorizer::test
