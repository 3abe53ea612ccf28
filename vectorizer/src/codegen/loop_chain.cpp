// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "codegen/loop_chain.h"

#include <algorithm>
#include <cassert>
#include <map>

using namespace llvm;

namespace lanecl::vectorizer {
namespace {

// Runs the loop on an imaginary processor that executes any number of instructions at once, so that each instruction
// starts as soon as its operands are ready.
class DataFlow {
public:
  DataFlow(ArrayRef<std::unique_ptr<mca::Instruction>> loop, const MCSubtargetInfo &processor,
           const MCRegisterInfo &registers)
      : loop(loop), processor(processor), registers(registers), writers(registers.getNumRegUnits()) {}

  void run(unsigned turns);
  LoopChain chain() const;

private:
  static constexpr size_t kNone = ~size_t{0};
  struct Step {                // an instruction in one of the turns
    int64_t begin = 0;         // one execution of an instruction, in one of the iterations
    size_t waited_for = kNone; // the step whose result was ready last
  };
  struct Writer { // the last writer of a register
    size_t step = kNone;
    int64_t ready = 0;
    unsigned resource = 0; // the kind of the result, as LLVM's model numbers it
  };

  void read(const mca::ReadState &operand, Step &step) const;
  void write(const mca::WriteState &result, size_t step);

  ArrayRef<std::unique_ptr<mca::Instruction>> loop;
  const MCSubtargetInfo &processor;
  const MCRegisterInfo &registers;
  std::vector<Writer> writers; // by register unit
  std::vector<Step> steps;
};

// Delays a step until an operand is ready. Some operands are needed later than others, such as the one that is added to
// a value from memory; LLVM's model calls that a read advance.
void DataFlow::read(const mca::ReadState &operand, Step &step) const {
  if (operand.isIndependentFromDef() || !operand.getRegisterID())
    return;
  const mca::ReadDescriptor &descriptor = operand.getDescriptor();
  const MCSchedClassDesc *kind = processor.getSchedModel().getSchedClassDesc(descriptor.SchedClassID);
  for (const MCRegUnit unit : registers.regunits(operand.getRegisterID())) {
    const Writer &writer = writers[static_cast<unsigned>(unit)];
    if (writer.step == kNone)
      continue;
    const int64_t ready = writer.ready - processor.getReadAdvanceCycles(kind, descriptor.UseIndex, writer.resource);
    if (step.waited_for == kNone || ready > step.begin)
      step = {std::max<int64_t>(ready, 0), writer.step};
  }
}

void DataFlow::write(const mca::WriteState &result, size_t step) {
  const Writer writer{step, steps[step].begin + result.getLatency(), result.getWriteResourceID()};
  const auto writes = [&](MCRegister written) {
    for (const MCRegUnit unit : registers.regunits(written))
      writers[static_cast<unsigned>(unit)] = writer;
  };
  if (!result.getRegisterID())
    return;
  writes(result.getRegisterID());
  if (result.clearsSuperRegisters())
    for (const MCPhysReg larger : registers.superregs(result.getRegisterID()))
      writes(larger);
}

void DataFlow::run(unsigned turns) {
  for (unsigned turn = 0; turn < turns; ++turn)
    for (const std::unique_ptr<mca::Instruction> &instruction : loop) {
      Step step;
      for (const mca::ReadState &operand : instruction->getUses())
        read(operand, step);
      steps.push_back(step);
      for (const mca::WriteState &result : instruction->getDefs())
        write(result, steps.size() - 1);
    }
}

// Follows the chain from the step that starts last back through the steps that it waited for. An instruction that comes
// up twice belongs to the chain, and the distance in time is that of the iterations between.
LoopChain DataFlow::chain() const {
  const auto later = [](const Step &a, const Step &b) { return a.begin < b.begin; };
  assert(!steps.empty() && "run() comes first");
  const size_t last = std::max_element(steps.begin(), steps.end(), later) - steps.begin();
  const size_t from = last / loop.size() / 2; // the first half of the iterations is not counted
  std::map<size_t, size_t> members;           // for each instruction of the chain, the last step of it that was seen
  LoopChain result;
  size_t step = steps[last].waited_for;
  for (; step != kNone && step / loop.size() >= from; step = steps[step].waited_for) {
    const auto [member, is_new] = members.try_emplace(step % loop.size(), step);
    if (!is_new) {
      const double turns = double(member->second - step) / double(loop.size());
      result.cycles = double(steps[member->second].begin - steps[step].begin) / turns;
    }
  }
  if (step == kNone) // the chain ends at a step that waited for nothing, so it does not lead through all iterations
    return {};
  for (const auto &[instruction, ignored] : members)
    result.instructions.push_back(instruction);
  return result;
}

} // namespace

LoopChain chainOf(ArrayRef<std::unique_ptr<mca::Instruction>> loop, const MCSubtargetInfo &processor,
                  const MCRegisterInfo &registers) {
  constexpr unsigned kTurns = 32;
  DataFlow flow(loop, processor, registers);
  flow.run(kTurns);
  return flow.chain();
}

} // namespace lanecl::vectorizer
