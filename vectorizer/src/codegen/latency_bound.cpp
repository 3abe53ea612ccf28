// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "codegen/latency_bound.h"

#include "codegen/loop_bound.h"

using namespace llvm;

namespace lanecl::vectorizer {

static bool waits(const LoopBound &bound) {
  return bound.limit == LoopBound::Limit::Chain || bound.limit == LoopBound::Limit::Window;
}

void LatencyShare::add(const std::vector<MachineLoopCode> &loops, const MCSubtargetInfo &processor) {
  for (const MachineLoopCode &loop : loops)
    if (const std::optional<LoopBound> bound = boundOf(loop, processor, target, Accuracy::Rough)) {
      const double time = loop.turns * bound->cycles;
      all += time;
      waiting += waits(*bound) ? time : 0;
    }
}

} // namespace lanecl::vectorizer
