// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "codegen/emit.h"

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

// Collects the code generator's reports: errors, and the size and layout of each function's stack frame.
class CodegenReports final : public DiagnosticHandler {
public:
  explicit CodegenReports(Emitted &result) : result(result) {}

  bool isAnalysisRemarkEnabled(StringRef pass) const override { return pass == kStackLayout || pass == kStackSize; }
  bool isAnyRemarkEnabled() const override { return true; }

  bool handleDiagnostics(const DiagnosticInfo &info) override {
    if (info.getSeverity() == DS_Error) {
      raw_string_ostream out(result.error);
      DiagnosticPrinterRawOStream printer(out);
      out << (result.error.empty() ? "error: " : "\nerror: ");
      info.print(printer);
    } else if (const auto *remark = dyn_cast<DiagnosticInfoOptimizationBase>(&info)) {
      if (remark->getPassName() == kStackLayout)
        addSpills(*remark);
      else if (remark->getPassName() == kStackSize)
        result.stack_bytes += frameBytes(*remark);
    }
    return true;
  }

private:
  static constexpr StringLiteral kStackLayout = "stack-frame-layout", kStackSize = "prologepilog";
  // Not included in the size of a frame: the return address, and padding where the frame has a larger alignment.
  static constexpr uint64_t kBesideFrame = 128;

  // The remark lists the slots: "Type" and then "Size" of each.
  // The caller's registers, which a function saves at its beginning, are listed as spilled, too: they lie first.
  static bool isSavedRegister(int64_t offset, uint64_t bytes) { return bytes == 8 && offset < 0 && offset >= -6 * 8; }

  void addSpills(const DiagnosticInfoOptimizationBase &remark) {
    uint64_t total = 0, vectors = 0;
    int64_t offset = 0;
    bool spill = false;
    for (const auto &argument : remark.getArgs()) {
      if (argument.Key == "Offset" && StringRef(argument.Val).getAsInteger(10, offset))
        offset = 0;
      if (argument.Key == "Type")
        spill = argument.Val == "Spill";
      if (argument.Key == "Size" && spill) {
        const uint64_t bytes = number(argument.Val);
        total += isSavedRegister(offset, bytes) ? 0 : bytes;
        vectors += bytes >= 16 ? bytes : 0;
      }
    }
    result.spill_bytes = std::max(result.spill_bytes, total);
    result.vector_spill_bytes = std::max(result.vector_spill_bytes, vectors);
  }

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

// LLVM's scheduler compares every two memory accesses of a basic block, and for those that may overlap it searches the
// list of all it found before: a kernel unrolled into a thousand accesses takes seconds. Scheduling has little effect
// there anyway, because far fewer values fit into the registers.
constexpr uint64_t kMostAccessesScheduled = 200;

// An estimate of the accesses for a value of this type: one for each register, or for each lane if each has its
// address.
uint64_t accessesFor(const Type *type) {
  constexpr uint64_t kRegisterBits = 256;
  const auto *vector = dyn_cast<FixedVectorType>(type);
  if (!vector)
    return 1;
  if (vector->getElementType()->isPointerTy())
    return vector->getNumElements();
  return divideCeil(vector->getPrimitiveSizeInBits().getFixedValue(), kRegisterBits);
}

uint64_t memoryAccesses(const Instruction &instruction) {
  if (!instruction.mayReadOrWriteMemory())
    return 0;
  uint64_t most = accessesFor(instruction.getType());
  for (const Use &operand : instruction.operands())
    most = std::max(most, accessesFor(operand->getType()));
  return most;
}

// LLVM's machine combiner looks for shorter chains of instructions among all that it has seen of a block. The chains of
// a long block hide each other's latency.
constexpr size_t kMostInstructionsCombined = 2000;

// For each address that it moves to its access LLVM's preparation numbers the instructions of the block anew. Within a
// long block addresses have no way to go.
constexpr size_t kMostInstructionsPrepared = 20000;

// Of what LLVM's elimination of common machine instructions finds in another block, it visits all uses: most of a long
// kernel for each of the constants that its blocks load. Its sinking of machine instructions looks through all of them
// in turn where they have not been eliminated and there are many blocks.
constexpr uint64_t kMostInstructionsShared = 50000;

// LLVM moves the constants of a loop in front of it. In a kernel that loops over a switch each case has its own, and
// each is then alive in all blocks: the time to allocate registers would grow with the square of the cases.
constexpr size_t kMostBlocksHoisted = 500;

// To place the blocks of a function LLVM asks for the probability of each way into each block, and looks through all
// ways out of the block it comes from: the square of the ways of a switch, as between the barriers of a long kernel.
constexpr unsigned kMostWaysPlaced = 1000;

// Passes that would take time out of proportion because blocks of the module are long or many, or because the module
// is long.
class SlowPasses {
public:
  explicit SlowPasses(const Module &module) : shares(module.getInstructionCount() <= kMostInstructionsShared) {
    for (const Function &function : module) {
      hoists &= function.size() <= kMostBlocksHoisted;
      for (const BasicBlock &block : function) {
        uint64_t accesses = 0;
        for (const Instruction &instruction : block)
          accesses += memoryAccesses(instruction);
        places &= block.getTerminator()->getNumSuccessors() <= kMostWaysPlaced;
        schedules &= accesses <= kMostAccessesScheduled;
        combines &= block.size() <= kMostInstructionsCombined;
        prepares &= block.size() <= kMostInstructionsPrepared;
      }
    }
  }

  bool contain(const Pass &pass) const {
    const AnalysisID id = pass.getPassID();
    const bool is_scheduler = id == &MachineSchedulerID || id == &PostMachineSchedulerID || id == &PostRASchedulerID;
    const bool is_hoisting = id == &EarlyMachineLICMID || id == &MachineLICMID;
    return (!schedules && is_scheduler) || (!hoists && is_hoisting) || (!combines && id == &MachineCombinerID) ||
           (!shares && id == &MachineCSELegacyID) || (!shares && !hoists && id == &MachineSinkingLegacyID) ||
           (!places && id == &MachineBlockPlacementID) || (!prepares && pass.getPassName() == "CodeGen Prepare");
  }

private:
  bool schedules = true, combines = true, prepares = true, hoists = true, places = true, shares;
};

// A debugger that looks at the caller of a function finds the caller's variables by its stack pointer, if its stack had
// to be aligned. So arguments are stored, and not pushed, in kernels built with -g.
bool pushesForDebugger(const Module &module, const Pass &pass) {
  const auto is_debugged = [](const Function &function) {
    return function.getFnAttribute("frame-pointer").getValueAsString() == "all"; // by lower-debug
  };
  return pass.getPassName() == "X86 Optimize Call Frame" && any_of(module, is_debugged);
}

class CodegenPasses final : public legacy::PassManager {
public:
  using Printer = std::function<Pass *(Pass *)>; // the pass that takes the place of the printer, or that itself

  CodegenPasses(const Module &module, Printer printer) : module(module), slow(module), printer(std::move(printer)) {}

  void add(Pass *pass) override {
    if (pass->getPassName().contains("Assembly Printer")) {
      legacy::PassManager::add(createStatementLocationsPass());
      pass = printer(pass);
    }
    if (!slow.contain(*pass) && !pushesForDebugger(module, *pass))
      return legacy::PassManager::add(pass);
    delete pass;
  }

private:
  const Module &module;
  const SlowPasses slow;
  const Printer printer;
};

} // namespace

Emitted emit(Module &module, TargetMachine &target, CodeGenFileType type, const UseLoops &use) {
  Emitted result;
  LLVMContext &context = module.getContext();
  std::unique_ptr<DiagnosticHandler> previous = context.getDiagnosticHandler();
  context.setDiagnosticHandler(std::make_unique<CodegenReports>(result));
  raw_svector_ostream out(result.bytes);
  CodegenPasses passes(module, [&](Pass *printer) { return use ? recordLoops(printer, target, out, use) : printer; });
  if (target.addPassesToEmitFile(passes, out, nullptr, type, /*DisableVerify=*/true))
    result.error = "error: the target cannot emit this kind of file";
  else
    passes.run(module);
  context.setDiagnosticHandler(std::move(previous));
  return result;
}

} // namespace lanecl::vectorizer
