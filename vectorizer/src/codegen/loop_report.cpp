// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "codegen/loop_report.h"

#include "codegen/emit.h"
#include "codegen/loop_bound.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/MC/MCInstPrinter.h"
#include "llvm/MC/TargetRegistry.h"

#include <cassert>
#include <fmt/format.h>
#include <map>
#include <set>

using namespace llvm;

namespace lanecl::vectorizer {
namespace {

// The machine code of a source loop. A source loop may become several loops: for full and for partial sub-groups,
// unrolled and not. The one that takes the most time represents all.
struct Estimate {
  MachineLoopCode loop;
  std::optional<LoopBound> bound;

  double time() const { return loop.turns * (bound ? bound->cycles : double(loop.instructions.size())); }
};

// Whether this is a loop of the work-group function over its sub-groups, which the source does not have.
bool isOverSubGroups(const MachineLoopCode &loop) {
  return loop.place.column == 0;
}

class LoopReporter {
public:
  explicit LoopReporter(const TargetMachine &target)
      : target(target),
        printer(target.getTarget().createMCInstPrinter(target.getTargetTriple(), 0, *target.getMCAsmInfo(),
                                                       *target.getMCInstrInfo(), *target.getMCRegisterInfo())) {}

  // Keeps the loop if it takes more time than others of the same source line.
  void add(MachineLoopCode loop, const MCSubtargetInfo &processor);
  void report(std::vector<Remark> &remarks) const;

private:
  using Place = std::pair<std::string, unsigned>; // file and line
  std::string textOf(const Estimate &estimate) const;
  std::string limitOf(const Estimate &estimate) const;
  std::string nameOf(const LoopInstruction &instruction) const;
  std::string chainText(const Estimate &estimate) const;

  const TargetMachine &target;
  std::unique_ptr<MCInstPrinter> printer;
  std::map<Place, Estimate> estimates;
};

void LoopReporter::add(MachineLoopCode loop, const MCSubtargetInfo &processor) {
  if (loop.calls && isOverSubGroups(loop)) // this loop resumes the sub-groups that wait at barriers
    return;
  std::optional<LoopBound> bound = boundOf(loop, processor, target);
  Estimate estimate{std::move(loop), std::move(bound)};
  Estimate &kept = estimates[{estimate.loop.place.file, estimate.loop.place.line}];
  if (kept.loop.instructions.empty() || estimate.time() > kept.time())
    kept = std::move(estimate);
}

std::string LoopReporter::nameOf(const LoopInstruction &instruction) const {
  const std::string name = StringRef(printer->getMnemonic(instruction.code).first).take_until(isSpace).str();
  return instruction.place.line == 0 ? name : fmt::format("{} on line {}", name, instruction.place.line);
}

// Returns a list such as "ports 0 and 5".
std::string listed(const std::vector<std::string> &units) {
  constexpr StringLiteral kPort = "port ";
  const bool ports = units.size() > 1 && all_of(units, [&](StringRef unit) { return unit.starts_with(kPort); });
  std::string text = ports ? "ports " : "";
  for (const auto &[i, unit] : enumerate(units))
    text += (i == 0 ? "" : i + 1 == units.size() ? " and " : ", ") + unit.substr(ports ? kPort.size() : 0);
  return text;
}

// Returns the instructions of the chain, or their lines if there are many different ones.
std::string LoopReporter::chainText(const Estimate &estimate) const {
  constexpr size_t kMostNamed = 2;
  const std::vector<size_t> &members = estimate.bound->chain.instructions;
  std::set<std::string> names;
  std::set<unsigned> lines;
  for (size_t member : members) {
    names.insert(nameOf(estimate.loop.instructions[member]));
    if (const unsigned line = estimate.loop.instructions[member].place.line)
      lines.insert(line);
  }
  if (names.size() <= kMostNamed)
    return fmt::format("{}", fmt::join(names, ", "));
  if (lines.empty())
    return fmt::format("{} instructions", members.size());
  return fmt::format("{} instructions on line{} {}", members.size(), lines.size() > 1 ? "s" : "",
                     fmt::join(lines, ", "));
}

std::string LoopReporter::limitOf(const Estimate &estimate) const {
  assert(estimate.bound && estimate.bound->heaviest < estimate.loop.instructions.size() &&
         "an instruction of the loop");
  const LoopBound &bound = *estimate.bound;
  const std::string units = listed(bound.units), heaviest = nameOf(estimate.loop.instructions[bound.heaviest]);
  switch (bound.limit) {
  case LoopBound::Limit::Units: return fmt::format("bound by {}, most of it {}", units, heaviest);
  case LoopBound::Limit::Chain:
    return "bound by latency, each iteration waits for the previous one's " + chainText(estimate);
  case LoopBound::Limit::Dispatch: return "bound by the number of micro-operations";
  case LoopBound::Limit::Window: break;
  }
  return fmt::format("bound by latency within an iteration; busiest: {}, {:.0f} %", units, 100 * bound.busy);
}

std::string LoopReporter::textOf(const Estimate &estimate) const {
  if (estimate.loop.calls)
    return "calls functions: no estimate";
  if (!estimate.bound)
    return "LLVM's model of the processor lacks some of the instructions: no estimate";
  const char *which = isOverSubGroups(estimate.loop) ? "over the sub-groups, " : "";
  return fmt::format("{}{:.1f} cycles per iteration: {}", which, estimate.bound->cycles, limitOf(estimate));
}

void LoopReporter::report(std::vector<Remark> &remarks) const {
  for (const auto &[key, estimate] : estimates) {
    const LoopLocation &place = estimate.loop.place;
    remarks.push_back({Remark::Kind::Loop, place.file, place.line, place.column, textOf(estimate), estimate.time()});
    uint64_t spilled = 0;
    for (const LoopInstruction &instruction : estimate.loop.instructions)
      spilled += instruction.spill_bytes;
    if (spilled != 0)
      remarks.push_back({Remark::Kind::Spill, place.file, place.line, place.column,
                         fmt::format("an iteration moves {} bytes between registers and the stack", spilled)});
  }
}

} // namespace

void reportLoops(Module &module, TargetMachine &target, std::vector<Remark> &remarks) {
  LoopReporter reporter(target);
  emit(module, target, CodeGenFileType::ObjectFile,
       [&](std::vector<MachineLoopCode> loops, const MCSubtargetInfo &processor) {
         for (MachineLoopCode &loop : loops)
           reporter.add(std::move(loop), processor);
       });
  reporter.report(remarks);
}

} // namespace lanecl::vectorizer
