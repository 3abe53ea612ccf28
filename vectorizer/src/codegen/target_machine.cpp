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

// Sets an option of LLVM. Options belong to the whole process, so they are the same for all kernels.
static void setOption(StringRef name, StringRef value) {
  const auto &options = cl::getRegisteredOptions();
  if (const auto found = options.find(name); found != options.end())
    // MultiArg allows several values: other libraries in the process may set the option, too
    found->second->addOccurrence(0, name, value, /*MultiArg=*/true);
}

// Limits work of LLVM's register allocation (LLVM 22) that grows with the square of a kernel's blocks. Most kernels
// reach neither limit. A test in tests/vectorizer/units/vectorizer_test.cpp fails if LLVM loses one of the options.
static void limitAllocation() {
  // Before the greedy allocator splits a live range, it looks through the blocks around it. In kernels of thousands of
  // blocks that takes half the time of code generation. With this budget it takes a fifth, for a few percent more
  // spills.
  setOption("grow-region-complexity-budget", "200");
  // A variable that every case of a switch changes has a live range of thousands of pieces. The register coalescer
  // compares it with each value that might share its register, and this limits how often it does so.
  setOption("large-interval-freq-threshold", "20");
}

static void initializeTarget() {
  static std::once_flag once;
  std::call_once(once, [] {
    InitializeNativeTarget();
    InitializeNativeTargetAsmPrinter();
    InitializeNativeTargetAsmParser(); // for the inline assembly of statements in kernels built with -g
    limitAllocation();
  });
}

std::unique_ptr<TargetMachine> createTargetMachine(const TargetProcessor &processor, bool optimize,
                                                   std::string &error) {
  initializeTarget();
  const Triple triple(sys::getProcessTriple());
  const Target *target = TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return nullptr;
  TargetOptions options;
  options.AllowFPOpFusion = FPOpFusion::Standard; // fuses only llvm.fmuladd
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
  // Without these attributes, LLVM's type legalization splits 512-bit vectors on processors for which it prefers 256
  // bits.
  function.addFnAttr("prefer-vector-width", "512");
  function.addFnAttr("min-legal-vector-width", "512");
}

} // namespace lanecl::vectorizer
