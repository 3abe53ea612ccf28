// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What a loop's speed depends on, by LLVM's model of the processor: LLVM's simulation of its pipelines (LLVM-MCA),
// which assumes that all data is in the first-level cache and every branch is predicted.
#pragma once

#include "codegen/loop_chain.h"
#include "codegen/machine_loops.h"

#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Target/TargetMachine.h"

#include <optional>
#include <string>
#include <vector>

namespace lanecl::vectorizer {

struct LoopBound {
  enum class Limit {
    Units,    // that execute instructions are busy all the time
    Chain,    // a turn waits for results of the turn before
    Dispatch, // no more micro-operations can be begun in a cycle
    Window    // the processor looks too few turns ahead to keep its units busy while a turn waits for results
  };
  double cycles = 0; // of a turn
  Limit limit = Limit::Window;
  std::vector<std::string> units; // the busiest: "port 5", "the divider"
  double busy = 0;                // share of the time
  size_t heaviest = 0;            // the instruction that takes most of their time, by its number in the loop
  LoopChain chain;
};

enum class Accuracy { Exact, Rough }; // of the cycles; a rough simulation takes a fifth of the time

// Nothing when the loop calls functions, or the model does not describe an instruction.
std::optional<LoopBound> boundOf(const MachineLoopCode &loop, const llvm::MCSubtargetInfo &processor,
                                 const llvm::TargetMachine &target, Accuracy accuracy = Accuracy::Exact);

} // namespace lanecl::vectorizer
