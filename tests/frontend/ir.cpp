// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Tests the properties of the bitcode that the vectorizer relies on.
#include "support.hpp"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace test;

namespace {

// The module that a program is compiled to.
struct Ir {
  explicit Ir(const std::string &source, const std::string &options = "") {
    const CompileOutput output = device().build(source, options);
    INFO(output.log);
    REQUIRE(output.status == Status::Success);
    auto parsed = llvm::parseBitcodeFile(llvm::MemoryBufferRef(*output.module.bitcode, "test"), context);
    REQUIRE(bool(parsed));
    module = std::move(*parsed);
    REQUIRE_FALSE(llvm::verifyModule(*module));
  }

  // Returns the number of floating-point operations for which `test` holds, in all functions.
  template <class Test> unsigned count(Test test) const {
    unsigned found = 0;
    for (llvm::Function &function : *module)
      for (llvm::Instruction &instruction : llvm::instructions(function))
        if (llvm::isa<llvm::FPMathOperator>(instruction) && test(instruction.getFastMathFlags()))
          ++found;
    return found;
  }
  const llvm::DICompileUnit *unit() const { return *module->debug_compile_units_begin(); }

  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
};

const char *kMaximum = "kernel void k(global float *p, int n) {\n"
                       "  float m = -INFINITY;\n"
                       "  for (int i = 0; i < n; ++i) m = fmax(m, p[i] * 2.0f + p[i + 1]);\n"
                       "  p[0] = m / p[1];\n}";

} // namespace

TEST_CASE("The bitcode is for spir64, with a C99 compile unit", "[ir]") {
  for (const char *options : {"", "-g", "-cl-std=CL3.0", "-cl-std=CLC++ -g"}) {
    const Ir ir("kernel void k(global int *p) { int x = *p; p[1] = x; }", options);
    CHECK(ir.module->getTargetTriple().str() == "spir64-unknown-unknown");
    if (!contains(options, "CLC++"))
      CHECK(ir.unit()->getSourceLanguage().getUnversionedName() == llvm::dwarf::DW_LANG_C99);
    const bool full = contains(options, "-g");
    CHECK(ir.unit()->getEmissionKind() ==
          (full ? llvm::DICompileUnit::FullDebug : llvm::DICompileUnit::LineTablesOnly));
  }
}

TEST_CASE("Finite-math options never make an infinity poison", "[ir]") {
  for (const char *options : {"-cl-finite-math-only", "-cl-fast-relaxed-math", "-cl-unsafe-math-optimizations"}) {
    const Ir ir(kMaximum, options);
    CHECK(ir.count([](llvm::FastMathFlags flags) { return flags.noNaNs() || flags.noInfs(); }) == 0);
    for (const llvm::Function &function : *ir.module) {
      CHECK_FALSE(function.hasFnAttribute("no-infs-fp-math"));
      CHECK_FALSE(function.hasFnAttribute("no-nans-fp-math"));
    }
    CHECK_FALSE(contains(device().build(kMaximum, options).log, "infinity"));
  }
}

TEST_CASE("Math options reach the instructions", "[ir]") {
  const auto contract = [](llvm::FastMathFlags flags) { return flags.allowContract(); };
  const auto reassociate = [](llvm::FastMathFlags flags) { return flags.allowReassoc(); };
  const auto no_zeros = [](llvm::FastMathFlags flags) { return flags.noSignedZeros(); };
  CHECK(Ir(kMaximum).count(contract) == 0);
  CHECK(Ir(kMaximum).count(reassociate) == 0);
  CHECK(Ir(kMaximum, "-cl-mad-enable").count(contract) > 0);
  CHECK(Ir(kMaximum, "-cl-mad-enable").count(reassociate) == 0);
  CHECK(Ir(kMaximum, "-cl-no-signed-zeros").count(no_zeros) > 0);
  CHECK(Ir(kMaximum, "-cl-unsafe-math-optimizations").count(reassociate) > 0);
  CHECK(Ir(kMaximum, "-cl-fast-relaxed-math").count(reassociate) > 0);
  const auto reciprocal = [](llvm::FastMathFlags flags) { return flags.allowReciprocal(); };
  const std::string exact = " -cl-fp32-correctly-rounded-divide-sqrt";
  for (const std::string unsafe : {"-cl-unsafe-math-optimizations", "-cl-fast-relaxed-math"}) {
    CHECK(Ir(kMaximum, unsafe).count(reciprocal) > 0);
    CHECK(Ir(kMaximum, unsafe + exact).count(reciprocal) == 0);
    CHECK(Ir(kMaximum, unsafe + exact).count(reassociate) > 0);
    CHECK(Ir(kMaximum, unsafe + exact).count(no_zeros) > 0);
  }
}

TEST_CASE("a * b + c in one expression may be fused by default", "[ir]") {
  unsigned fused = 0;
  const Ir ir(kMaximum);
  for (llvm::Function &function : *ir.module)
    fused += function.getIntrinsicID() == llvm::Intrinsic::fmuladd;
  CHECK(fused == 1);
}

TEST_CASE("No function is optnone, lifetimes are there, and nothing is concluded from the types of accesses", "[ir]") {
  for (const char *options : {"", "-cl-opt-disable", "-g -O0"}) {
    const Ir ir(
        "kernel void k(global float *p) { for (int i = 0; i < 4; ++i) { float a[2]; a[i & 1] = p[i]; p[i] = a[0]; } }",
        options);
    bool lifetimes = false, tbaa = false;
    for (llvm::Function &function : *ir.module) {
      CHECK_FALSE(function.hasFnAttribute(llvm::Attribute::OptimizeNone));
      lifetimes |= function.getIntrinsicID() == llvm::Intrinsic::lifetime_start;
      for (llvm::Instruction &instruction : llvm::instructions(function))
        tbaa |= instruction.hasMetadata(llvm::LLVMContext::MD_tbaa);
    }
    CHECK(lifetimes);
    CHECK_FALSE(tbaa);
  }
}

TEST_CASE("Only the source forbids to unroll a loop", "[ir]") {
  const auto forbidden = [](const std::string &hint) {
    unsigned found = 0;
    const Ir ir("kernel void k(global float *p) { " + hint + " for (int i = 0; i < 4; ++i) p[i] *= 2; }");
    for (llvm::Function &function : *ir.module)
      for (llvm::Instruction &instruction : llvm::instructions(function))
        if (const llvm::MDNode *loop = instruction.getMetadata(llvm::LLVMContext::MD_loop))
          found += llvm::findOptionMDForLoopID(const_cast<llvm::MDNode *>(loop), "llvm.loop.unroll.disable") != nullptr;
    return found;
  };
  CHECK(forbidden("") == 0);
  CHECK(forbidden("__attribute__((opencl_unroll_hint(1)))") == 1);
}

TEST_CASE("-cl-single-precision-constant keeps doubles away", "[ir]") {
  const auto doubles = [](const char *options) {
    unsigned found = 0;
    const Ir ir("kernel void k(global float *p) { p[0] = p[0] * 0.1 + 2.5; }", options);
    for (llvm::Function &function : *ir.module)
      for (llvm::Instruction &instruction : llvm::instructions(function))
        found += instruction.getType()->isDoubleTy();
    return found;
  };
  CHECK(doubles("") > 0);
  CHECK(doubles("-cl-single-precision-constant") == 0);
}

TEST_CASE("A C99 inline function keeps its body", "[ir]") {
  const Ir ir("inline float square(float x) { return x * x; }\nkernel void k(global float *p) { *p = square(*p); }");
  const llvm::Function *square = ir.module->getFunction("square");
  REQUIRE(square);
  CHECK_FALSE(square->isDeclaration());
  CHECK_FALSE(square->hasAvailableExternallyLinkage());
}
