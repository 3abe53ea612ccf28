// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Runs integer IR over the lanes of one sub-group, strictly: what an inactive lane computes from memory is poison, and
// every rule of linearized code (see analysis/markers.h) that is broken is reported. With one lane and no markers it is
// an ordinary interpreter, which gives the expected answer.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Function.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace lanecl::vectorizer::test {

struct Cell {
  uint64_t bits = 0;
  bool poison = false;
};

struct LaneResult {
  std::vector<std::pair<uint64_t, uint32_t>> stores; // in order: address and value
  uint64_t returned = 0;
  bool operator==(const LaneResult &) const = default;
};

struct Machine {
  unsigned first_lane = 0;
  unsigned lanes = 1;
  unsigned active = 1;                                      // the lanes that exist: the first ones
  std::vector<uint64_t> arguments;                          // the same for all lanes
  std::function<bool(const llvm::Value &)> claimed_uniform; // checked when set

  // Nothing in `error` when the function ran to its return.
  std::vector<LaneResult> run(const llvm::Function &function);
  std::string error;

private:
  using Cells = std::vector<Cell>;

  void fail(const llvm::Instruction &at, const std::string &why);
  Cells valueOf(const llvm::Value &value);
  void enterBlock(const llvm::BasicBlock *from, const llvm::BasicBlock *to);
  void execute(const llvm::Instruction &instruction);
  void executeCall(const llvm::CallInst &call);
  void executeMemory(const llvm::Instruction &instruction);
  Cell compute(const llvm::Instruction &instruction, unsigned lane, const std::vector<Cells> &operands);
  void define(const llvm::Instruction &instruction, Cells cells);
  const llvm::BasicBlock *successor(const llvm::Instruction &terminator);

  llvm::DenseMap<const llvm::Value *, Cells> values;
  std::vector<llvm::DenseMap<uint64_t, uint32_t>> memory; // of each lane; they never share what they write
  std::vector<bool> mask;
  std::vector<LaneResult> results;
  uint64_t steps = 0;
};

// Where the machine's two arrays of i32 are: one to read, one with a part for each lane to write.
inline constexpr uint64_t kInput = 0x10000, kOutput = 0x20000;
uint32_t inputAt(uint64_t address);

} // namespace lanecl::vectorizer::test
