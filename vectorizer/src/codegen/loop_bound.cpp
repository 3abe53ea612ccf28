// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "codegen/loop_bound.h"

#include "llvm/MC/MCInstrAnalysis.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/MCA/Context.h"
#include "llvm/MCA/CustomBehaviour.h"
#include "llvm/MCA/HWEventListener.h"
#include "llvm/MCA/InstrBuilder.h"
#include "llvm/MCA/Pipeline.h"
#include "llvm/MCA/SourceMgr.h"
#include "llvm/MCA/Stages/Stage.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <numeric>

using namespace llvm;

namespace lanecl::vectorizer {
namespace {

// LLVM-MCA's descriptions of a loop's instructions. They refer to the builder, so both are kept here.
class Description {
public:
  Description(const MCSubtargetInfo &processor, const TargetMachine &target)
      : info(*target.getMCInstrInfo()), analysis(target.getTarget().createMCInstrAnalysis(&info)),
        instruments(processor, info),
        builder(processor, info, *target.getMCRegisterInfo(), analysis.get(), instruments, kCallCycles) {}

  bool add(const MCInst &instruction) {
    Expected<std::unique_ptr<mca::Instruction>> made = builder.createInstruction(instruction, {});
    if (!made) {
      consumeError(made.takeError());
      return false;
    }
    if (isZero(instruction))
      for (mca::ReadState &operand : (*made)->getUses())
        operand.setIndependentFromDef();
    instructions.push_back(std::move(*made));
    return true;
  }

  SmallVector<std::unique_ptr<mca::Instruction>, 64> instructions;

private:
  // Whether an instruction combines a register with itself so that the result is zero. Processors do not wait for that
  // register, which not all of LLVM's models say.
  bool isZero(const MCInst &instruction) const {
    const unsigned last = instruction.getNumOperands() - 1;
    const auto isRegister = [&](unsigned i) { return instruction.getOperand(i).isReg(); };
    const StringRef name = info.getName(instruction.getOpcode());
    return name.contains("XOR") && !name.starts_with("K") && last == 2 && isRegister(1) && isRegister(2) &&
           instruction.getOperand(1).getReg() == instruction.getOperand(2).getReg();
  }

  static constexpr unsigned kCallCycles = 100;
  const MCInstrInfo &info;
  const std::unique_ptr<MCInstrAnalysis> analysis;
  const mca::InstrumentManager instruments;
  mca::InstrBuilder builder;
};

// Watches a simulation. The first half of the iterations fills the processor's queues and is not counted.
class Watch final : public mca::HWEventListener {
public:
  Watch(size_t length, unsigned turns) : length(length), turns(turns), counted_from(turns / 2) {}

  void onCycleEnd() override { ++cycle; }
  void onEvent(const mca::HWInstructionEvent &event) override;

  uint64_t cyclesWithoutRetirement() const { return cycle - end; }
  double cycles() const { return double(end - begin); }
  double cyclesOfTurn() const { return cycles() / (turns - counted_from); }
  double dispatchedPerCycle() const { return double(dispatched) / cycles(); }

  // For each unit, given by the number of its resource and its number in that: the cycles for which each instruction
  // keeps it busy.
  using Users = std::map<size_t, double>;
  std::map<mca::ResourceRef, Users> units;

private:
  bool counts(unsigned number) const { return number >= counted_from * length; }

  const size_t length;
  const unsigned turns, counted_from;
  uint64_t cycle = 0, begin = 0, end = 0, dispatched = 0;
};

void Watch::onEvent(const mca::HWInstructionEvent &event) {
  const unsigned number = event.IR.getSourceIndex();
  switch (event.Type) {
  case mca::HWInstructionEvent::Dispatched:
    if (counts(number))
      dispatched += static_cast<const mca::HWInstructionDispatchedEvent &>(event).MicroOpcodes;
    break;
  case mca::HWInstructionEvent::Issued:
    if (counts(number))
      for (const auto &[unit, busy] : static_cast<const mca::HWInstructionIssuedEvent &>(event).UsedResources)
        units[unit][number % length] += double(busy);
    break;
  case mca::HWInstructionEvent::Retired:
    if (number + 1 == counted_from * length)
      begin = cycle;
    end = cycle;
    break;
  default: break;
  }
}

// Ends a simulation that has come to a standstill. LLVM's description of a processor may have instructions that never
// get the units that they ask for, such as `vcvtdq2ph %ymm0, %xmm0` in the one of Sapphire Rapids (LLVM 22). The
// simulation of LLVM-MCA would not end for these.
class Patience final : public mca::Stage {
public:
  explicit Patience(const Watch &watch) : watch(watch) {}

  bool hasWorkToComplete() const override { return false; }
  Error execute(mca::InstRef &) override { return ErrorSuccess(); }
  Error cycleEnd() override {                // an error here ends the simulation, unlike one in cycleStart()
    constexpr uint64_t kStandstill = 20'000; // cycles; no instruction takes as long
    if (watch.cyclesWithoutRetirement() > kStandstill)
      return createStringError("an instruction is never executed");
    return ErrorSuccess();
  }

private:
  const Watch &watch;
};

// Returns readable names of a unit: "SKXPort05" -> "port 5", "SBPort23" -> "port 2" and "port 3", "SKXFPDivider" ->
// "the divider", "Zn4FP0" -> "FP0".
std::vector<std::string> unitNames(const MCProcResourceDesc &resource) {
  StringRef name = resource.Name;
  if (const size_t port = name.find("Port"); port != StringRef::npos) {
    const StringRef number = name.drop_front(port + strlen("Port"));
    if (resource.NumUnits == 1 || number.size() != resource.NumUnits)
      return {"port " + (number.size() > 1 && number.starts_with("0") ? number.drop_front() : number).str()};
    std::vector<std::string> each;
    for (const char digit : number)
      each.push_back(std::string("port ") + digit);
    return each;
  }
  if (name.contains("Divider"))
    return {"the divider"};
  if (name.consume_front("Zn"))
    name = name.drop_while(isDigit);
  return {name.str()};
}

// A share from which something counts as the limit. It is below 1 because the simulation does not choose the best unit
// for each instruction.
constexpr double kNearly = 0.9;

double sum(const Watch::Users &users) {
  return std::accumulate(users.begin(), users.end(), 0.0, [](double all, auto &user) { return all + user.second; });
}

size_t heaviest(const Watch::Users &users) {
  return std::max_element(users.begin(), users.end(), [](auto &a, auto &b) { return a.second < b.second; })->first;
}

// Finds the units that are busy nearly all the time; if there are none, the busiest one.
void findBusyUnits(const Watch &watch, const MCSchedModel &model, LoopBound &bound) {
  double most = 0;
  for (const auto &[unit, users] : watch.units)
    most = std::max(most, sum(users));
  Watch::Users all;
  for (const auto &[unit, users] : watch.units) {
    if (const double used = sum(users); used < std::min(most, kNearly * watch.cycles()))
      continue;
    for (const std::string &name : unitNames(*model.getProcResource(unit.first)))
      if (!is_contained(bound.units, name))
        bound.units.push_back(name);
    for (const auto &[instruction, cycles] : users)
      all[instruction] += cycles;
  }
  bound.busy = most / watch.cycles();
  if (!all.empty())
    bound.heaviest = heaviest(all);
}

// Returns the number of iterations to simulate. A longer loop reaches a constant speed after fewer iterations; if one
// iteration fills the processor's window, one is enough.
unsigned turnsFor(size_t length, Accuracy accuracy) {
  const bool rough = accuracy == Accuracy::Rough;
  const size_t instructions = rough ? 4000 : 20000;
  return static_cast<unsigned>(std::clamp<size_t>(instructions / length, rough ? 2 : 8, 200));
}

} // namespace

std::optional<LoopBound> boundOf(const MachineLoopCode &loop, const MCSubtargetInfo &processor,
                                 const TargetMachine &target, Accuracy accuracy) {
  const MCSchedModel &model = processor.getSchedModel();
  const size_t length = loop.instructions.size();
  if (loop.calls || length == 0 || !model.hasInstrSchedModel() || !model.isOutOfOrder())
    return std::nullopt;
  Description description(processor, target);
  if (!all_of(loop.instructions, [&](const LoopInstruction &instruction) { return description.add(instruction.code); }))
    return std::nullopt;
  const unsigned turns = turnsFor(length, accuracy);
  mca::CircularSourceMgr source(description.instructions, turns);
  mca::CustomBehaviour behavior(processor, source, *target.getMCInstrInfo());
  mca::Context context(*target.getMCRegisterInfo(), processor);
  const mca::PipelineOptions options(0, 0, 0, 0, 0, 0, /*NoAlias=*/true);
  const std::unique_ptr<mca::Pipeline> pipeline = context.createDefaultPipeline(options, source, behavior);
  assert(turns > 1 && "the first half of the iterations is not counted");
  Watch watch(length, turns);
  pipeline->addEventListener(&watch);
  pipeline->appendStage(std::make_unique<Patience>(watch));
  if (Expected<unsigned> cycles = pipeline->run(); !cycles) {
    consumeError(cycles.takeError());
    return std::nullopt;
  }
  LoopBound bound;
  bound.cycles = watch.cyclesOfTurn();
  findBusyUnits(watch, model, bound);
  bound.chain = chainOf(description.instructions, processor, *target.getMCRegisterInfo());
  if (bound.busy >= kNearly)
    bound.limit = LoopBound::Limit::Units;
  else if (bound.chain.cycles >= kNearly * bound.cycles)
    bound.limit = LoopBound::Limit::Chain;
  else if (watch.dispatchedPerCycle() >= kNearly * model.IssueWidth)
    bound.limit = LoopBound::Limit::Dispatch;
  return bound;
}

} // namespace lanecl::vectorizer
