// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "codegen/loop_times.h"

#include "codegen/loop_bound.h"

using namespace llvm;

namespace lanecl::vectorizer {

// Whether the loop is limited by waiting for results.
static bool waits(const LoopBound &bound) {
  return bound.limit == LoopBound::Limit::Chain || bound.limit == LoopBound::Limit::Window;
}

// Returns how many instructions the loop executes in all its iterations.
static double instructionsOf(const MachineLoopCode &loop) {
  return loop.turns * double(loop.instructions.size());
}

void LoopTimes::add(const std::vector<MachineLoopCode> &loops, const MCSubtargetInfo &processor,
                    const TargetMachine &target) {
  // Loops with a smaller share of the instructions are left out, such as those for the last iterations of a row
  constexpr double kFew = 1.0 / 16;
  double most = 0;
  for (const MachineLoopCode &loop : loops)
    most = std::max(most, instructionsOf(loop));
  for (const MachineLoopCode &loop : loops) {
    if (instructionsOf(loop) < kFew * most)
      continue;
    const std::optional<LoopBound> bound = boundOf(loop, processor, target, Accuracy::Rough);
    const double time = bound ? loop.turns * bound->cycles : 0;
    all += time;
    waiting += bound && waits(*bound) ? time : 0;
    busy += bound ? bound->busy * time : 0;
  }
}

LoopTimes &LoopTimes::operator+=(const LoopTimes &other) {
  all += other.all;
  waiting += other.waiting;
  busy += other.busy;
  return *this;
}

} // namespace lanecl::vectorizer
