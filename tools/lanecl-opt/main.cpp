// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// lanecl-opt: reads IR, runs the named passes of the vectorizer and of LLVM over it, and prints the IR. The tests of
// single passes use it.
//   lanecl-opt -p canonicalize,linearize --width 16 kernel.ll
#include "pipeline/pass_registry.h"
#include "pipeline/recipe.h"
#include "vectorizer/check.h"

#include "CLI/CLI.hpp"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

#include <map>

using namespace llvm;
using namespace lanecl;

namespace {

struct Options {
  std::string input = "-";
  std::string output = "-";
  std::vector<std::string> passes;
  std::string builtins;
  std::string kernel;
  std::vector<uint32_t> local_size;
  unsigned row_axes = 0;
  unsigned width = 8;
  bool wide_ids = false, no_offset = false, own_memory = false, keep_functions = false, debug = false;
  vectorizer::Isa isa = vectorizer::Isa::Avx2;
  std::string dump_directory;
  bool no_verify = false;
  bool no_output = false;
  bool time = false;
  bool list = false, recipe = false;
};

} // namespace

static void describe(CLI::App &app, Options &options) {
  const std::map<std::string, vectorizer::Isa> isas{{"host", vectorizer::Isa::Host},
                                                    {"avx512", vectorizer::Isa::Avx512},
                                                    {"avx2", vectorizer::Isa::Avx2},
                                                    {"sse4.2", vectorizer::Isa::Sse42}};
  app.add_option("input", options.input, "LLVM IR, text or bitcode; - reads standard input");
  app.add_option("-o,--output", options.output, "file for the IR text; - is standard output");
  app.add_option("-p,--passes", options.passes,
                 "comma-separated passes of LaneCL or LLVM; \"function(instcombine)\" is one, too")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option("-w,--width", options.width, "sub-group size")->check(CLI::IsMember({1, 4, 8, 16, 32, 64}));
  app.add_option("--row-axes", options.row_axes, "Dimensions, as bits, along which a row may lie instead of x");
  app.add_option("--local-size", options.local_size, "work-group size x,y,z; 0 is unknown")
      ->delimiter(',')
      ->expected(3);
  app.add_flag("--wide-ids", options.wide_ids, "ids may be 2^31 or more");
  app.add_flag("--no-offset", options.no_offset, "the launch has no global offset");
  app.add_flag("--own-memory", options.own_memory,
               "check races and uninitialized values only in local and private memory");
  app.add_flag("--keep-functions", options.keep_functions, "do not inline what can stay a function, however small");
  app.add_flag("--debug", options.debug, "the program was built with -g");
  app.add_option("--isa", options.isa, "instruction set whose costs the optimizations use")
      ->transform(CLI::CheckedTransformer(isas, CLI::ignore_case));
  app.add_option("--kernel", options.kernel, "the kernel to compile, for the passes that need one");
  app.add_option("--builtins", options.builtins, "the built-in library's bitcode, for import");
  app.add_option("--dump-directory", options.dump_directory, "folder for the IR after each pass");
  app.add_flag("--no-verify", options.no_verify, "do not verify the IR after each pass");
  app.add_flag("-q,--no-output", options.no_output, "print no IR: for printer passes");
  app.add_flag("--time", options.time, "print the time of each pass");
  app.add_flag("--list", options.list, "print the names of LaneCL's passes");
  app.add_flag("--recipe", options.recipe, "print the passes that make a kernel's code, in order, as a table");
}

// Returns LLVM's code generator for the instruction set, or null when this LLVM has no x86-64. It is for costs and
// legality only, so `host` is treated like AVX2.
static std::unique_ptr<TargetMachine> makeTarget(vectorizer::Isa isa) {
  InitializeNativeTarget();
  const Triple triple("x86_64-unknown-linux-gnu");
  std::string error;
  const Target *target = TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return nullptr;
  const char *cpu = isa == vectorizer::Isa::Avx512  ? "x86-64-v4"
                    : isa == vectorizer::Isa::Sse42 ? "x86-64-v2"
                                                    : "x86-64-v3";
  // tells LLVM's cost model that gathers are fast, as they are on processors with AVX-512
  const char *features = isa == vectorizer::Isa::Avx2 ? "+fast-gather" : "";
  return std::unique_ptr<TargetMachine>(target->createTargetMachine(triple, cpu, features, {}, Reloc::PIC_));
}

static bool writeModule(const Module &module, const std::string &path) {
  std::error_code failed;
  raw_fd_ostream out(path, failed);
  if (failed) {
    errs() << "error: cannot write '" << path << "': " << failed.message() << '\n';
    return false;
  }
  module.print(out, nullptr);
  return true;
}

static int runPasses(const Options &options) {
  LLVMContext llvm_context;
  SMDiagnostic problem;
  std::unique_ptr<Module> module = parseIRFile(options.input, problem, llvm_context);
  if (!module) {
    problem.print("lanecl-opt", errs());
    return 1;
  }
  const std::unique_ptr<TargetMachine> target = makeTarget(options.isa);
  vectorizer::PassContext context;
  context.launch.width = options.width;
  context.launch.ids_fit_int = !options.wide_ids;
  context.launch.no_offset = options.no_offset;
  if (options.local_size.size() == 3)
    std::copy_n(options.local_size.begin(), 3, context.launch.local_size.begin());
  context.launch.row_axes = options.row_axes;
  context.kernel = options.kernel;
  context.keep_functions = options.keep_functions;
  context.debug = options.debug;
  context.builtins_path = options.builtins;
  context.target = target.get();
  vectorizer::Instrumentation own_memory;
  own_memory.races = own_memory.initialization = vectorizer::Reach::OwnMemory;
  context.checks = options.own_memory ? &own_memory : nullptr;
  vectorizer::PassRunner runner(
      context,
      {options.dump_directory, options.no_verify ? vectorizer::Verify::Never : vectorizer::Verify::AfterEachStep});
  const bool done = runner.run(*module, SmallVector<StringRef>(options.passes.begin(), options.passes.end()));
  if (options.time)
    for (const auto &[step, seconds] : runner.timings())
      errs() << format("%10.6f s  ", seconds) << step << '\n';
  if (!done) {
    errs() << context.diagnostics.text() << '\n';
    return 1;
  }
  return options.no_output || writeModule(*module, options.output) ? 0 : 1;
}

static void printRecipe() {
  outs() << "| Pass | What it does |\n|---|---|\n";
  for (const ArrayRef<vectorizer::Step> part : {vectorizer::stepsToFindErrors(), vectorizer::stepsToMakeCode()})
    for (const vectorizer::Step &step : part)
      outs() << "| `" << step.pass << "` | " << step.purpose << " |\n";
}

int main(int argc, char **argv) {
  Options options;
  CLI::App app("Runs passes of LaneCL's vectorizer over LLVM IR.", "lanecl-opt");
  describe(app, options);
  CLI11_PARSE(app, argc, argv);
  if (options.list) {
    for (StringRef name : vectorizer::passNames())
      outs() << name << '\n';
    return 0;
  }
  if (options.recipe) {
    printRecipe();
    return 0;
  }
  return runPasses(options);
}
