// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Whether a kernel would gain from several chains of instructions at once.
#pragma once

#include "codegen/machine_loops.h"

namespace lanecl::vectorizer {

// Sums up, by LLVM's model of the processor, how long innermost loops take, and how much of that they spend in waiting
// for results while units are free.
class LoopTimes {
public:
  void add(const std::vector<MachineLoopCode> &loops, const llvm::MCSubtargetInfo &processor,
           const llvm::TargetMachine &target);

  bool areMostlyWaiting() const { return waiting > all / 2; }
  // The share of the time in which the busiest unit works. Other code of the same instructions cannot save it.
  double busyShare() const { return all == 0 ? 0 : busy / all; }

private:
  double all = 0, waiting = 0, busy = 0; // cycles
};

} // namespace lanecl::vectorizer
