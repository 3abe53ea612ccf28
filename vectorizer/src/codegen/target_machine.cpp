// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "codegen/target_machine.h"

#include "llvm/IR/Function.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"

#include <mutex>

using namespace llvm;

namespace lanecl::vectorizer {

// Gives an option of LLVM's a value. Options are those of the whole process: the same for all kernels.
static void setOption(StringRef name, StringRef value) {
  const auto &options = cl::getRegisteredOptions();
  if (const auto found = options.find(name); found != options.end())
    found->second->addOccurrence(0, name, value, /*MultiArg=*/true); // any number of times: by other libraries, too
}

// Bounds what grows with the square of a kernel's blocks. Most kernels never reach either bound.
static void limitAllocation() {
  // Where LLVM's register allocator may split a live range, it looks through the blocks around it. In kernels of
  // thousands of blocks that takes half the time of code generation; with this budget it takes a fifth, for a few
  // percent more spills.
  setOption("grow-region-complexity-budget", "200");
  // A variable that each case of a switch changes has one live range of thousands of pieces, which LLVM compares with
  // each value that might share its register: this often, and no longer.
  setOption("large-interval-freq-threshold", "20");
}

static void initializeTarget() {
  static std::once_flag once;
  std::call_once(once, [] {
    InitializeNativeTarget();
    InitializeNativeTargetAsmPrinter();
    InitializeNativeTargetAsmParser(); // of the statements of kernels built with -g
    limitAllocation();
  });
}

std::unique_ptr<TargetMachine> createTargetMachine(const Processor &processor, bool optimize, std::string &error) {
  initializeTarget();
  const Triple triple(sys::getProcessTriple());
  const Target *target = TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return nullptr;
  TargetOptions options;
  options.AllowFPOpFusion = FPOpFusion::Standard; // fuses only fmuladd of the IR
  options.NoTrappingFPMath = true;
  options.TrapUnreachable = false;
  auto *machine =
      target->createTargetMachine(triple, processor.cpu, processor.features, options, Reloc::PIC_, CodeModel::Small,
                                  optimize ? CodeGenOptLevel::Default : CodeGenOptLevel::None, /*JIT=*/true);
  if (!machine)
    error = "LLVM has no code generator for " + triple.str();
  return std::unique_ptr<TargetMachine>(machine);
}

void addTargetAttributes(Function &function, const TargetMachine &target) {
  function.addFnAttr("target-cpu", target.getTargetCPU());
  function.addFnAttr("target-features", target.getTargetFeatureString());
  // Without these LLVM splits 512-bit vectors on processors it believes to prefer 256 bits.
  function.addFnAttr("prefer-vector-width", "512");
  function.addFnAttr("min-legal-vector-width", "512");
}

} // namespace lanecl::vectorizer
