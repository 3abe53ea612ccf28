// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "codegen/machine_loops.h"

#include "llvm/CodeGen/AsmPrinter.h"
#include "llvm/CodeGen/AsmPrinterHandler.h"
#include "llvm/CodeGen/MachineBlockFrequencyInfo.h"
#include "llvm/CodeGen/MachineBranchProbabilityInfo.h"
#include "llvm/CodeGen/MachineDominators.h"
#include "llvm/CodeGen/MachineFrameInfo.h"
#include "llvm/CodeGen/MachineLoopInfo.h"
#include "llvm/CodeGen/MachineMemOperand.h"
#include "llvm/CodeGen/PseudoSourceValue.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/MC/MCAsmBackend.h"
#include "llvm/MC/MCCodeEmitter.h"
#include "llvm/MC/MCObjectWriter.h"
#include "llvm/MC/MCStreamer.h"
#include "llvm/MC/TargetRegistry.h"

#include <utility>

using namespace llvm;

namespace lanecl::vectorizer {

LoopLocation sourcePlace(const DebugLoc &location) {
  const DILocation *place = location.get();
  if (!place || place->getLine() == 0)
    return {};
  return {place->getFilename().str(), place->getLine(), place->getColumn()};
}

namespace {

// The encoded instructions of one function. The code generator's instruction may be encoded as none or as several.
struct Recording {
  struct Printed {
    const MachineInstr *of;
    MCInst code;
  };
  const MachineInstr *current = nullptr;
  std::vector<Printed> printed;
};

// An encoder that also records the instructions.
class RecordingEncoder final : public MCCodeEmitter {
public:
  RecordingEncoder(std::unique_ptr<MCCodeEmitter> encoder, std::shared_ptr<Recording> recording)
      : encoder(std::move(encoder)), recording(std::move(recording)) {}

  void reset() override { encoder->reset(); }
  void encodeInstruction(const MCInst &instruction, SmallVectorImpl<char> &bytes, SmallVectorImpl<MCFixup> &fixups,
                         const MCSubtargetInfo &processor) const override {
    // `current` is null when the assembler encodes a jump a second time, once its distance is known.
    if (recording->current != nullptr)
      recording->printed.push_back({recording->current, instruction});
    encoder->encodeInstruction(instruction, bytes, fixups, processor);
  }

private:
  const std::unique_ptr<MCCodeEmitter> encoder;
  const std::shared_ptr<Recording> recording;
};

// Returns how many bytes an instruction stores to or loads from spill slots.
uint64_t spillBytes(const MachineInstr &instruction) {
  const MachineFrameInfo &frame = instruction.getMF()->getFrameInfo();
  uint64_t bytes = 0;
  for (const MachineMemOperand *access : instruction.memoperands())
    if (const auto *slot = dyn_cast_or_null<FixedStackPseudoSourceValue>(access->getPseudoValue()))
      if (frame.isSpillSlotObjectIndex(slot->getFrameIndex()) && access->getSize().hasValue())
        bytes += access->getSize().getValue().getKnownMinValue();
  return bytes;
}

class LoopRecorder final : public AsmPrinterHandler {
public:
  LoopRecorder(std::shared_ptr<Recording> recording, UseLoops use)
      : recording(std::move(recording)), use(std::move(use)) {}

  void endModule() override {}
  void beginFunction(const MachineFunction *) override { recording->printed.clear(); }
  void beginInstruction(const MachineInstr *instruction) override { recording->current = instruction; }
  void endInstruction() override { recording->current = nullptr; }
  void endFunction(const MachineFunction *function) override;

private:
  std::shared_ptr<Recording> recording;
  UseLoops use;
};

// The loops of a function, and an estimate of how often each block runs.
class Loops {
public:
  explicit Loops(MachineFunction &function)
      : tree(function), loops(tree), frequencies(function, probabilities, loops) {}

  // Returns the innermost loop around a block. A loop still counts as innermost if the loops in it rarely run. Returns
  // null if there is no loop, or if the block itself rarely runs.
  const MachineLoop *innermost(const MachineBasicBlock &block) const {
    const MachineLoop *loop = loops.getLoopFor(&block);
    if (!loop || hasLoops(*loop))
      return nullptr;
    while (loop->getParentLoop() && !hasLoops(*loop->getParentLoop()))
      loop = loop->getParentLoop();
    return isOften(block, *loop) ? loop : nullptr;
  }

  double turns(const MachineLoop &loop) const { return frequencies.getBlockFreqRelativeToEntryBlock(loop.getHeader()); }

private:
  bool isOften(const MachineBasicBlock &block, const MachineLoop &loop) const {
    constexpr double kOften = 1.0 / 16;
    return frequencies.getBlockFreqRelativeToEntryBlock(&block) >= kOften * turns(loop);
  }
  bool hasLoops(const MachineLoop &loop) const {
    return any_of(loop, [&](const MachineLoop *inner) { return isOften(*inner->getHeader(), loop); });
  }

  MachineDominatorTree tree;
  MachineLoopInfo loops;
  MachineBranchProbabilityInfo probabilities;
  MachineBlockFrequencyInfo frequencies;
};

bool isBefore(const DILocation &a, const DILocation &b) {
  return std::pair(a.getLine(), a.getColumn()) < std::pair(b.getLine(), b.getColumn());
}

// Returns where the loop's statement starts. LLVM may return a branch in the loop's body. The parts of the statement
// that count and compare come before the body in the text, so the first location is taken. Locations in functions that
// are inlined into the body are not considered.
const DILocation *beginOf(const MachineLoop &loop) {
  const DebugLoc start = loop.getStartLoc();
  const DILocation *begin = start.get();
  if (!begin || begin->getColumn() == 0) // the loop over the sub-groups
    return begin;
  const DISubprogram *function = begin->getScope()->getSubprogram();
  const DILocation *inlined_at = begin->getInlinedAt();
  for (const MachineBasicBlock *block : loop.blocks())
    for (const MachineInstr &instruction : *block)
      if (const DILocation *at = instruction.getDebugLoc().get();
          at && at->getColumn() != 0 && at->getInlinedAt() == inlined_at &&
          at->getScope()->getSubprogram() == function && isBefore(*at, *begin))
        begin = at;
  return begin;
}

// Sorts the recorded instructions by their innermost loops.
void LoopRecorder::endFunction(const MachineFunction *function) {
  const Loops loops(const_cast<MachineFunction &>(*function)); // the analyses take a function that is not const
  std::vector<MachineLoopCode> result;
  DenseMap<const MachineLoop *, size_t> places;
  for (const auto &[instruction, code] : recording->printed) {
    const MachineLoop *loop = loops.innermost(*instruction->getParent());
    if (!loop)
      continue;
    const auto [found, is_new] = places.try_emplace(loop, result.size());
    if (is_new)
      result.push_back({sourcePlace(beginOf(*loop)), {}, false, loops.turns(*loop)});
    MachineLoopCode &into = result[found->second];
    into.calls |= instruction->isCall();
    into.instructions.push_back({code, sourcePlace(instruction->getDebugLoc()), spillBytes(*instruction)});
  }
  use(std::move(result), function->getSubtarget());
}

} // namespace

Pass *recordLoops(Pass *printer, TargetMachine &target, raw_pwrite_stream &object, UseLoops use) {
  MCContext &context = static_cast<AsmPrinter *>(printer)->OutContext;
  const Target &maker = target.getTarget();
  const MCSubtargetInfo &processor = *target.getMCSubtargetInfo();
  const auto recording = std::make_shared<Recording>();
  auto encoder = std::make_unique<RecordingEncoder>(
      std::unique_ptr<MCCodeEmitter>(maker.createMCCodeEmitter(*target.getMCInstrInfo(), context)), recording);
  std::unique_ptr<MCAsmBackend> assembler(
      maker.createMCAsmBackend(processor, *target.getMCRegisterInfo(), target.Options.MCOptions));
  std::unique_ptr<MCObjectWriter> writer = assembler->createObjectWriter(object);
  std::unique_ptr<MCStreamer> streamer(maker.createMCObjectStreamer(
      target.getTargetTriple(), context, std::move(assembler), std::move(writer), std::move(encoder), processor));
  AsmPrinter *recorder = maker.createAsmPrinter(target, std::move(streamer));
  recorder->addAsmPrinterHandler(std::make_unique<LoopRecorder>(recording, std::move(use)));
  delete printer;
  return recorder;
}

} // namespace lanecl::vectorizer
