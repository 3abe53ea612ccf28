// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "codegen/emit.h"

#include "codegen/spill_slots.h"
#include "codegen/statement_locations.h"

#include "llvm/CodeGen/Passes.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Pass.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace lanecl::vectorizer {

namespace {

// Collects the code generator's reports: errors, and the size of each function's stack frame.
class CodegenReports final : public DiagnosticHandler {
public:
  explicit CodegenReports(Emitted &result) : result(result) {}

  bool isAnalysisRemarkEnabled(StringRef pass) const override { return pass == kStackSize; }
  bool isAnyRemarkEnabled() const override { return true; }

  bool handleDiagnostics(const DiagnosticInfo &info) override {
    if (info.getSeverity() == DS_Error) {
      raw_string_ostream out(result.error);
      DiagnosticPrinterRawOStream printer(out);
      out << (result.error.empty() ? "error: " : "\nerror: ");
      info.print(printer);
    } else if (const auto *remark = dyn_cast<DiagnosticInfoOptimizationBase>(&info)) {
      if (remark->getPassName() == kStackSize)
        result.stack_bytes += frameBytes(*remark);
    }
    return true;
  }

private:
  static constexpr StringLiteral kStackSize = "prologepilog";
  // The size of a frame does not include the return address, and the padding for an alignment larger than the stack's.
  static constexpr uint64_t kBesideFrame = 128;

  static uint64_t frameBytes(const DiagnosticInfoOptimizationBase &remark) {
    for (const auto &argument : remark.getArgs())
      if (argument.Key == "NumStackBytes")
        return number(argument.Val) + kBesideFrame;
    return 0;
  }

  static uint64_t number(StringRef text) {
    uint64_t value = 0;
    return text.getAsInteger(10, value) ? 0 : value;
  }

  Emitted &result;
};

// The following limits work around passes of LLVM 22 that take quadratic time or longer. A limit can go when the test
// "long blocks" of tests/kernels/code_generation.cpp, and a kernel of the kind that its comment describes, compile as
// fast without it.

// LLVM's schedulers (MachineScheduler and its post-RA variants) compare every two memory accesses of a basic block. For
// those that may overlap they search the list of all accesses found before, so a kernel that is unrolled into a
// thousand accesses takes seconds. Blocks with more accesses than this are not scheduled. That costs little, because
// far fewer values fit into the registers anyway.
constexpr uint64_t kMostAccessesScheduled = 200;

// Estimates the accesses for a value of this type: one for each register, or one for each lane if each lane has an
// address of its own.
uint64_t accessesFor(const Type *type) {
  constexpr uint64_t kRegisterBits = 256;
  const auto *vector = dyn_cast<FixedVectorType>(type);
  if (!vector)
    return 1;
  if (vector->getElementType()->isPointerTy())
    return vector->getNumElements();
  return divideCeil(vector->getPrimitiveSizeInBits().getFixedValue(), kRegisterBits);
}

// Estimates how many accesses the code generator emits for an instruction.
uint64_t memoryAccesses(const Instruction &instruction) {
  if (!instruction.mayReadOrWriteMemory())
    return 0;
  uint64_t most = accessesFor(instruction.getType());
  for (const Use &operand : instruction.operands())
    most = std::max(most, accessesFor(operand->getType()));
  return most;
}

// LLVM's StackSlotColoring compares every two spill slots. A kernel with this many accesses in a block may have
// thousands of them, and those that could share a slot take little of its stack.
constexpr uint64_t kMostAccessesColored = 2000;

// LLVM's MachineCombiner looks for shorter dependency chains among all that it has seen of a block, which is quadratic
// in long blocks. There the chains hide each other's latency, so little is lost without it.
constexpr size_t kMostInstructionsCombined = 2000;

// LLVM's CodeGenPrepare renumbers the instructions of a block for every address computation that it sinks to its
// access. That is quadratic in long blocks, where sinking gains nothing, because the address is in the same block
// already.
constexpr size_t kMostInstructionsPrepared = 20000;

// LLVM's MachineCSE visits all uses of a value that it finds again in another block. That is quadratic for constants
// that are loaded throughout a long kernel. Without MachineCSE, MachineSink would look through all these values in turn
// if there are many blocks, so it is left out, too.
//
// LLVM schedules a second time after register allocation, which takes a twelfth of code generation. Processors reorder
// instructions themselves, so a long kernel goes without.
constexpr uint64_t kLongKernel = 50000;

// LLVM's MachineLICM moves constants out of loops. In a kernel that loops over a switch, each case has its own
// constants, and each of them would then be live in all blocks: the time for register allocation would grow with the
// square of the number of cases.
constexpr size_t kMostBlocksHoisted = 500;

// LLVM's MachineBlockPlacement asks for the probability of each edge into a block, and looks through all edges out of
// the predecessor for it. That is quadratic in the edges of a switch, such as the one between the barriers of a long
// kernel.
constexpr unsigned kMostWaysPlaced = 1000;

// Finds the passes that would take too long because the module's blocks are long or many, or because the module is
// long.
class SlowPasses {
public:
  SlowPasses(const Module &module, bool is_long) : is_long(is_long) {
    for (const Function &function : module) {
      hoists &= function.size() <= kMostBlocksHoisted;
      for (const BasicBlock &block : function) {
        uint64_t accesses = 0;
        for (const Instruction &instruction : block)
          accesses += memoryAccesses(instruction);
        places &= block.getTerminator()->getNumSuccessors() <= kMostWaysPlaced;
        schedules &= accesses <= kMostAccessesScheduled;
        colors &= accesses <= kMostAccessesColored;
        combines &= block.size() <= kMostInstructionsCombined;
        prepares &= block.size() <= kMostInstructionsPrepared;
      }
    }
  }

  // Whether this is one of these passes.
  bool contain(const Pass &pass) const {
    const AnalysisID id = pass.getPassID();
    const bool schedules_last = id == &PostMachineSchedulerID || id == &PostRASchedulerID;
    const bool is_scheduler = schedules_last || id == &MachineSchedulerID;
    const bool is_hoisting = id == &EarlyMachineLICMID || id == &MachineLICMID;
    return (!schedules && is_scheduler) || (is_long && schedules_last) || (!hoists && is_hoisting) ||
           (!combines && id == &MachineCombinerID) || (is_long && id == &MachineCSELegacyID) ||
           (is_long && !hoists && id == &MachineSinkingLegacyID) || (!places && id == &MachineBlockPlacementID) ||
           (!colors && id == &StackSlotColoringID) || (!prepares && pass.getPassName() == "CodeGen Prepare");
  }

private:
  bool schedules = true, colors = true, combines = true, prepares = true, hoists = true, places = true;
  const bool is_long; // whether the kernel is
};

// Whether a pass would make calls push their arguments, in a kernel built with -g. A debugger finds the variables of a
// calling function by its stack pointer if its stack had to be aligned, so arguments are stored to the stack instead.
bool pushesForDebugger(const Module &module, const Pass &pass) {
  const auto is_debugged = [](const Function &function) {
    return function.getFnAttribute("frame-pointer").getValueAsString() == "all"; // set by lower-debug
  };
  return pass.getPassName() == "X86 Optimize Call Frame" && any_of(module, is_debugged);
}

// LLVM's list of code generation passes, from which add() leaves some out.
class CodegenPasses final : public legacy::PassManager {
public:
  using Printer = std::function<Pass *(Pass *)>; // returns the printer to use, which may be the given one

  CodegenPasses(const Module &module, bool is_long, SpillSlots &spills, Printer printer)
      : module(module), slow(module, is_long), spills(spills), printer(std::move(printer)) {}

  void add(Pass *pass) override {
    if (pass->getPassName().contains("Assembly Printer")) {
      legacy::PassManager::add(createStatementLocationsPass());
      legacy::PassManager::add(createSpillSlotsPass(spills));
      pass = printer(pass);
    }
    if (!slow.contain(*pass) && !pushesForDebugger(module, *pass))
      return legacy::PassManager::add(pass);
    delete pass;
  }

private:
  const Module &module;
  const SlowPasses slow;
  SpillSlots &spills;
  const Printer printer;
};

} // namespace

bool isLongKernel(uint64_t instructions) {
  return instructions > kLongKernel;
}

void renameVariables(Module &module) {
  for (GlobalVariable &variable : module.globals())
    if (variable.hasLocalLinkage())
      variable.setName("variable." + variable.getName());
}

Emitted emit(Module &module, TargetMachine &target, CodeGenFileType type, const UseLoops &use, uint64_t instructions) {
  Emitted result;
  LLVMContext &context = module.getContext();
  std::unique_ptr<DiagnosticHandler> previous = context.getDiagnosticHandler();
  context.setDiagnosticHandler(std::make_unique<CodegenReports>(result));
  raw_svector_ostream out(result.bytes);
  SpillSlots spills;
  const bool is_long = isLongKernel(instructions != 0 ? instructions : module.getInstructionCount());
  CodegenPasses passes(module, is_long, spills,
                       [&](Pass *printer) { return use ? recordLoops(printer, target, out, use) : printer; });
  if (target.addPassesToEmitFile(passes, out, nullptr, type, /*DisableVerify=*/true))
    result.error = "error: the target cannot emit this kind of file";
  else
    passes.run(module);
  context.setDiagnosticHandler(std::move(previous));
  result.spill_bytes = spills.all;
  result.vector_spill_bytes = spills.vectors;
  return result;
}

} // namespace lanecl::vectorizer
