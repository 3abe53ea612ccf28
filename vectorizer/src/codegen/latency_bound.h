// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Whether a kernel would gain from several chains of instructions at once.
#pragma once

#include "codegen/machine_loops.h"

namespace lanecl::vectorizer {

// Sums up, by LLVM's model of the processor, how long innermost loops take, and how much of that they spend in waiting
// for results while units are free.
class LatencyShare {
public:
  explicit LatencyShare(const llvm::TargetMachine &target) : target(target) {}

  void add(const std::vector<MachineLoopCode> &loops, const llvm::MCSubtargetInfo &processor);
  bool isMost() const { return waiting > all / 2; }

private:
  const llvm::TargetMachine &target;
  double all = 0, waiting = 0; // cycles
};

} // namespace lanecl::vectorizer
