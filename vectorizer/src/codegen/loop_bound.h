// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Finds out what limits the speed of a loop, by LLVM's simulation of the processor's pipelines (LLVM-MCA). The
// simulation assumes that all data is in the first-level cache and that every branch is predicted.
#pragma once

#include "codegen/loop_chain.h"
#include "codegen/machine_loops.h"

#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Target/TargetMachine.h"

#include <optional>
#include <string>
#include <vector>

namespace lanecl::vectorizer {

// The estimated speed of a loop and its limit.
struct LoopBound {
  enum class Limit {
    Units,    // some execution units are busy all the time
    Chain,    // an iteration waits for results of the iteration before
    Dispatch, // the processor starts as many micro-operations per cycle as it can
    Window // the processor looks too few iterations ahead to keep its units busy while an iteration waits for results
  };
  double cycles = 0; // of one iteration
  Limit limit = Limit::Window;
  std::vector<std::string> units; // the busiest units: "port 5", "the divider"
  double busy = 0;                // the share of the time in which the busiest unit works
  size_t heaviest = 0;            // index in the loop of the instruction that takes most of these units' time
  LoopChain chain;
};

enum class Accuracy { Exact, Rough }; // of the cycles; a rough simulation takes a fifth of the time

// Simulates a loop. Returns nothing if the loop calls functions or the model does not describe one of its instructions.
std::optional<LoopBound> boundOf(const MachineLoopCode &loop, const llvm::MCSubtargetInfo &processor,
                                 const llvm::TargetMachine &target, Accuracy accuracy = Accuracy::Exact);

} // namespace lanecl::vectorizer
