// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Import turns the bitcode of a program and of the built-in library into one kernel without calls.
#include "codegen/target_machine.h"
#include "kernel/import/builtin_library.h"
#include "kernel/import/import.h"
#include "pipeline/pass_registry.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include <catch2/catch.hpp>

using namespace llvm;
using namespace lanecl::vectorizer;

namespace {

const std::string kLayout =
    "target datalayout = \"e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1\"\n"
    "target triple = \"spir64-unknown-unknown\"\n";

// Returns the bitcode of a module for spir64.
std::string bitcodeOf(const std::string &ir) {
  LLVMContext context;
  SMDiagnostic diagnostic;
  auto module = parseAssemblyString(kLayout + ir, diagnostic, context);
  INFO(diagnostic.getMessage().str());
  REQUIRE(module);
  std::string bytes;
  raw_string_ostream out(bytes);
  WriteBitcodeToFile(*module, out);
  return bytes;
}

// A kernel `k` that has been imported from a program, with the functions of a built-in library.
struct Imported {
  LLVMContext llvm;
  std::unique_ptr<TargetMachine> target;
  PassContext context;
  std::unique_ptr<Module> module;

  Imported(const std::string &program, const std::string &builtins) {
    std::string error;
    target = createTargetMachine(chooseProcessor({}), true, error);
    context.kernel = "k";
    context.target = target.get();
    const std::string program_bytes = bitcodeOf(program);
    BuiltinLibrary library(MemoryBuffer::getMemBufferCopy(bitcodeOf(builtins)));
    module = importKernel(llvm, {{program_bytes, "program"}, "k", &library, target.get(), true}, context.diagnostics);
  }

  // Returns the functions that the kernel calls, in the order of the calls.
  std::vector<std::string> callees() const {
    std::vector<std::string> names;
    for (const Instruction &instruction : instructions(*module->getFunction("k")))
      if (const auto *call = dyn_cast<CallBase>(&instruction))
        names.push_back(call->getCalledFunction()->getName().str());
    return names;
  }

  bool inlineCalls() {
    PassRunner runner(context, {});
    return module && runner.run(*module, {"inline-calls"});
  }
};

const char *const kBuiltins = R"(
@table = internal addrspace(2) constant [2 x float] [float 1.0, float 2.0]
define float @_Z3foof(float %x) noinline {
  %y = call float @_Z3barf(float %x)
  ret float %y
}
define float @_Z3barf(float %x) {
  %i = fptosi float %x to i32
  %p = getelementptr float, ptr addrspace(2) @table, i32 %i
  %t = load float, ptr addrspace(2) %p
  %y = fadd float %x, %t
  ret float %y
}
define float @_Z6unusedf(float %x) { ret float %x }
)";

} // namespace

TEST_CASE("one kernel with what it calls", "[import]") {
  Imported result(R"(
declare spir_func float @_Z3foof(float)
define spir_kernel void @other(ptr addrspace(1) %p) { ret void }
define spir_kernel void @k(ptr addrspace(1) %p) {
  call spir_func void @__clang_ocl_kern_imp_k(ptr addrspace(1) %p)
  ret void
}
define spir_func void @__clang_ocl_kern_imp_k(ptr addrspace(1) noalias %p) alwaysinline {
  %x = load float, ptr addrspace(1) %p
  %y = call spir_func float @_Z3foof(float %x)
  store float %y, ptr addrspace(1) %p
  ret void
}
)",
                  kBuiltins);
  INFO(result.context.diagnostics.text());
  REQUIRE(result.module);
  CHECK(result.module->getFunction("other") == nullptr);
  CHECK(result.module->getFunction("_Z6unusedf") == nullptr);
  CHECK(result.module->getTargetTriple().getArch() == Triple::x86_64);
  REQUIRE(result.inlineCalls());
  unsigned functions = 0;
  for (Function &function : *result.module)
    functions += !function.isDeclaration();
  CHECK(functions == 1);
  Function *kernel = result.module->getFunction("k");
  REQUIRE(kernel);
  CHECK(kernel->hasFnAttribute("target-cpu"));
  CHECK(none_of(instructions(*kernel), [](Instruction &i) { return isa<CallBase>(i) && !i.isLifetimeStartOrEnd(); }));
  CHECK(result.module->getGlobalVariable("table", true));
}

TEST_CASE("calls that may be approximate call relaxed functions of float", "[import]") {
  Imported result(R"(
declare spir_func float @_Z3expf(float)
declare spir_func <4 x float> @_Z3sinDv4_f(<4 x float>)
declare spir_func double @_Z3expd(double)
declare spir_func half @_Z3expDh(half)
declare spir_func float @_Z4fabsf(float)
define float @_Z3logf(float %x) { ret float %x }
define spir_kernel void @k(ptr addrspace(1) %p, float %x, <4 x float> %v, double %d, half %h) {
  %exact = call spir_func float @_Z3expf(float %x)
  %relaxed = call afn spir_func float @_Z3expf(float %x)
  %vector = call reassoc afn spir_func <4 x float> @_Z3sinDv4_f(<4 x float> %v)
  %double = call afn spir_func double @_Z3expd(double %d)
  %half = call afn spir_func half @_Z3expDh(half %h)
  %other = call afn spir_func float @_Z4fabsf(float %x)
  %own = call afn float @_Z3logf(float %x)
  ret void
}
)",
                  "");
  REQUIRE(result.module);
  CHECK(result.callees() == std::vector<std::string>{"_Z3expf", "_Z20__lanecl_relaxed_expf",
                                                     "_Z20__lanecl_relaxed_sinDv4_f", "_Z3expd", "_Z3expDh", "_Z4fabsf",
                                                     "_Z3logf"});
}

TEST_CASE("the sine and the cosine of one angle are computed together", "[import]") {
  Imported result(R"(
declare spir_func float @_Z3sinf(float) memory(none) nounwind willreturn
declare spir_func float @_Z3cosf(float) memory(none) nounwind willreturn
declare spir_func <4 x double> @_Z3sinDv4_d(<4 x double>) memory(none) nounwind willreturn
declare spir_func <4 x double> @_Z3cosDv4_d(<4 x double>) memory(none) nounwind willreturn
define spir_func float @sinf(float %x) memory(none) nounwind willreturn { ret float %x }
define spir_kernel void @k(ptr addrspace(1) %p, float %x, <4 x double> %v, i1 %c) {
  %variable = alloca float
  store float %x, ptr %variable
  %x1 = load float, ptr %variable
  %angle1 = fmul float %x1, 2.0
  %cos = call spir_func float @_Z3cosf(float %angle1)
  store float %cos, ptr addrspace(1) %p
  %x2 = load float, ptr %variable
  %angle2 = fmul float %x2, 2.0
  %sin = call spir_func float @_Z3sinf(float %angle2)
  store float %sin, ptr addrspace(1) %p
  %sin4 = call spir_func <4 x double> @_Z3sinDv4_d(<4 x double> %v)
  store <4 x double> %sin4, ptr addrspace(1) %p
  %cos4 = call spir_func <4 x double> @_Z3cosDv4_d(<4 x double> %v)
  store <4 x double> %cos4, ptr addrspace(1) %p
  %other = call spir_func float @_Z3sinf(float %x)
  store float %other, ptr addrspace(1) %p
  %own = call spir_func float @sinf(float 1.0)
  store float %own, ptr addrspace(1) %p
  br i1 %c, label %seldom, label %end
seldom:
  %elsewhere = call spir_func float @_Z3cosf(float %x)
  store float %elsewhere, ptr addrspace(1) %p
  %approximate_sin = call afn spir_func float @_Z3sinf(float %x)
  store float %approximate_sin, ptr addrspace(1) %p
  ret void
end:
  ret void
}
)",
                  "");
  REQUIRE(result.module);
  CHECK(result.callees() == std::vector<std::string>{"_Z6sincosfPf", "_Z6sincosDv4_dPS_", "_Z3sinf", "sinf", "_Z3cosf",
                                                     "_Z20__lanecl_relaxed_sinf"});
}

TEST_CASE("what cannot be inlined is said", "[import]") {
  const auto errorOf = [](const std::string &program) {
    Imported result(program, kBuiltins);
    CHECK_FALSE(result.inlineCalls());
    return result.context.diagnostics.text();
  };
  CHECK_THAT(errorOf("declare void @_Z7missingv()\n"
                     "define spir_kernel void @k() { call void @_Z7missingv()\n ret void }"),
             Catch::Contains("undefined function 'missing()' called in kernel 'k'"));
  CHECK_THAT(errorOf("define internal void @f(i32 %n) { call void @g(i32 %n)\n ret void }\n"
                     "define internal void @g(i32 %n) { call void @f(i32 %n)\n ret void }\n"
                     "define spir_kernel void @k() { call void @f(i32 1)\n ret void }"),
             Catch::Contains("recursion in kernel 'k'"));
  CHECK_THAT(errorOf("define spir_kernel void @k(ptr %f) { call void %f()\n ret void }"),
             Catch::Contains("indirect call in kernel 'k'"));
  CHECK_THAT(errorOf("define spir_kernel void @l() { ret void }"), Catch::Contains("no kernel 'k'"));
  CHECK_THAT(errorOf("@v = addrspace(1) global i32 0\n"
                     "define spir_kernel void @k() { store i32 1, ptr addrspace(1) @v\n ret void }"),
             Catch::Contains("program scope variable 'v'"));
}

TEST_CASE("broken bitcode is an error", "[import]") {
  LLVMContext llvm;
  std::string error;
  const auto target = createTargetMachine(chooseProcessor({}), true, error);
  const std::string whole = bitcodeOf("define spir_kernel void @k() { ret void }");
  for (const std::string &bytes : {std::string(), std::string("BC"), whole.substr(0, whole.size() / 2)}) {
    Diagnostics diagnostics;
    CHECK(importKernel(llvm, {{bytes, "program"}, "k", nullptr, target.get()}, diagnostics) == nullptr);
    CHECK_THAT(diagnostics.text(), Catch::Contains("cannot read the program"));
  }
}
