// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The context of the passes says what check-objects checks.
#include "pass_support/pass_context.h"
#include "pipeline/pass_registry.h"
#include "vectorizer/check.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"

#include <catch2/catch.hpp>

using namespace lanecl::vectorizer;

// Returns whether an access that leaves its variable is reported.
static bool reports(const Instrumentation &checks) {
  llvm::LLVMContext llvm;
  llvm::SMDiagnostic diagnostic;
  const auto module = llvm::parseAssemblyString(R"(
define void @k(i64 %i) !dbg !4 {
  %a = alloca [5 x i32]
  %address = getelementptr inbounds i32, ptr %a, i64 %i, !dbg !5
  store i32 1, ptr %address, !dbg !5
  ret void
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "k.cl", directory: ".")
!2 = !DISubroutineType(types: !{})
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "k", file: !1, line: 1, type: !2, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DILocation(line: 2, column: 1, scope: !4)
)",
                                                diagnostic, llvm);
  REQUIRE(module);
  PassContext context;
  context.kernel = "k";
  context.checks = &checks;
  PassRunner runner(context, {});
  REQUIRE(runner.run(*module, {"check-objects"}));
  return module->getFunction("lanecl.check.report") != nullptr;
}

TEST_CASE("accesses of variables are checked if the context asks for memory", "[check]") {
  Instrumentation checks;
  checks.races = Reach::Everything; // for which the pass runs, too
  CHECK_FALSE(reports(checks));
  checks.memory = true;
  CHECK(reports(checks));
}
