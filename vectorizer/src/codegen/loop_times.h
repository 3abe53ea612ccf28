// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Estimates whether a kernel would gain from several dependency chains at once, which more lanes give it.
#pragma once

#include "codegen/machine_loops.h"

namespace lanecl::vectorizer {

// Adds up how long the innermost loops take by LLVM's model of the processor, and how much of that time they wait for
// results while execution units are free.
class LoopTimes {
public:
  void add(const std::vector<MachineLoopCode> &loops, const llvm::MCSubtargetInfo &processor,
           const llvm::TargetMachine &target);

  LoopTimes &operator+=(const LoopTimes &other);

  bool areMostlyWaiting() const { return waiting > all / 2; }
  // Returns the share of the time in which the busiest unit works. Other code with the same instructions cannot save
  // that part.
  double busyShare() const { return all == 0 ? 0 : busy / all; }

private:
  double all = 0, waiting = 0, busy = 0; // cycles
};

} // namespace lanecl::vectorizer
