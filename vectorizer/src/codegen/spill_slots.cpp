// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "codegen/spill_slots.h"

#include "llvm/ADT/SmallSet.h"
#include "llvm/CodeGen/MachineFrameInfo.h"
#include "llvm/CodeGen/MachineFunctionPass.h"

#include <algorithm>

using namespace llvm;

namespace lanecl::vectorizer {

namespace {

class SpillSlotsPass final : public MachineFunctionPass {
public:
  static char ID;
  explicit SpillSlotsPass(SpillSlots &slots) : MachineFunctionPass(ID), slots(slots) {}

  StringRef getPassName() const override { return "Spill slots"; }
  void getAnalysisUsage(AnalysisUsage &usage) const override {
    usage.setPreservesAll();
    MachineFunctionPass::getAnalysisUsage(usage);
  }
  bool runOnMachineFunction(MachineFunction &function) override;

private:
  SpillSlots &slots;
};

char SpillSlotsPass::ID = 0;

bool SpillSlotsPass::runOnMachineFunction(MachineFunction &function) {
  constexpr int64_t kSmallestVector = 16;
  const MachineFrameInfo &frame = function.getFrameInfo();
  SmallSet<int, 8> saved;
  for (const CalleeSavedInfo &info : frame.getCalleeSavedInfo())
    if (!info.isSpilledToReg())
      saved.insert(info.getFrameIdx());
  SpillSlots own;
  for (int slot = frame.getObjectIndexBegin(); slot != frame.getObjectIndexEnd(); ++slot) {
    if (!frame.isSpillSlotObjectIndex(slot) || frame.isDeadObjectIndex(slot) || saved.contains(slot))
      continue;
    const int64_t bytes = frame.getObjectSize(slot);
    own.all += uint64_t(bytes);
    own.vectors += bytes >= kSmallestVector ? uint64_t(bytes) : 0;
  }
  slots.all = std::max(slots.all, own.all);
  slots.vectors = std::max(slots.vectors, own.vectors);
  return false;
}

} // namespace

Pass *createSpillSlotsPass(SpillSlots &slots) {
  return new SpillSlotsPass(slots);
}

} // namespace lanecl::vectorizer
