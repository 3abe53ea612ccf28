// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A differential test of canonicalize, split-conditions and linearize. Each random kernel runs lane by lane before the
// passes, and for all lanes at once under masks after them; both must store and return the same. Usage:
// linearize_semantics FIRST COUNT, which are the first seed and the number of seeds.
#include "lane_machine.h"
#include "random_kernel.h"

#include "analysis/lane_target.h"
#include "pipeline/pass_registry.h"

#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <charconv>
#include <cstring>

using namespace llvm;
using namespace lanecl::vectorizer;
using namespace lanecl::vectorizer::test;

static constexpr unsigned kLanes = 8;

// Returns passes of LLVM that bring the kernel into one of the shapes of control flow in which it may reach our passes.
static const char *preparation(uint64_t seed) {
  static const char *const kinds[] = {
      "function(mem2reg)",
      "function(mem2reg,simplifycfg)",
      "function(sroa,early-cse,simplifycfg,loop(loop-rotate),simplifycfg,gvn,dce)",
      "function(sroa,early-cse,loop-simplify,lcssa,loop-mssa(licm),jump-threading,dce)",
  };
  return kinds[seed / 3 % std::size(kinds)];
}

static std::vector<uint64_t> argumentsFor(uint64_t seed, unsigned attempt) {
  return {kInput, kOutput, (seed * 7 + attempt * 13) % 11, (seed / 5 + attempt * 3) % 6};
}

// Runs the function for each lane on its own and returns the results.
static std::vector<LaneResult> expected(const Function &function, const std::vector<uint64_t> &arguments,
                                        unsigned active, std::string &error) {
  std::vector<LaneResult> results;
  for (unsigned lane = 0; lane < active; ++lane) {
    Machine machine;
    machine.first_lane = lane;
    machine.arguments = arguments;
    results.push_back(machine.run(function)[0]);
    if (!machine.error.empty())
      error = "the kernel itself is wrong: " + machine.error;
  }
  return results;
}

static std::string compare(const std::vector<LaneResult> &want, const std::vector<LaneResult> &got) {
  std::string text;
  raw_string_ostream out(text);
  for (unsigned lane = 0; lane < want.size(); ++lane) {
    if (want[lane] == got[lane])
      continue;
    out << "lane " << lane << " differs: returned " << got[lane].returned << " instead of " << want[lane].returned
        << ", " << got[lane].stores.size() << " stores instead of " << want[lane].stores.size();
    break;
  }
  return text;
}

// Runs both functions lane by lane and returns how their results differ; empty: they do not.
static std::string compareScalar(Module &before, Module &after, const std::vector<uint64_t> &arguments) {
  std::string error;
  const auto want = expected(*before.getFunction("kernel"), arguments, kLanes, error);
  const auto got = expected(*after.getFunction("kernel"), arguments, kLanes, error);
  return error.empty() ? compare(want, got) : error;
}

// Tests the kernel of one seed and returns what is wrong; empty: nothing. `original` receives the kernel as it was
// before our passes. Counts the conditional branches that linearize has left.
static std::string runSeed(uint64_t seed, std::unique_ptr<Module> &original, Module &module, unsigned &branches) {
  PassContext context;
  PassRunner runner(context, {});
  if (!runner.run(module, {preparation(seed)}))
    return context.diagnostics.text();
  original = CloneModule(module);
  if (!runner.run(module, {"canonicalize"}))
    return context.diagnostics.text();
  if (std::string wrong = compareScalar(*original, module, argumentsFor(seed, 0)); !wrong.empty())
    return "canonicalize: " + wrong;
  if (seed % 2 == 0 && !runner.run(module, {"split-conditions"}))
    return context.diagnostics.text();
  if (std::string wrong = compareScalar(*original, module, argumentsFor(seed, 0)); !wrong.empty())
    return "split-conditions: " + wrong;
  if (!runner.run(module, {"linearize"}))
    return context.diagnostics.text();
  Function &linear = *module.getFunction("kernel");
  FunctionAnalysisManager manager;
  manager.registerPass([] { return laneTargetAnalysis(false); });
  PassBuilder().registerFunctionAnalyses(manager);
  UniformityInfo &uniformity = manager.getResult<UniformityInfoAnalysis>(linear);
  for (BasicBlock &block : linear) {
    if (block.getTerminator()->getNumSuccessors() < 2)
      continue;
    if (uniformity.hasDivergentTerminator(block))
      return "a divergent branch is left in block '" + block.getName().str() + "'";
    ++branches;
  }
  for (unsigned attempt = 0; attempt < 4; ++attempt) {
    const std::vector<uint64_t> arguments = argumentsFor(seed, attempt);
    const unsigned active = attempt % 2 ? 1 + (seed + attempt) % kLanes : kLanes;
    std::string error;
    const auto want = expected(*original->getFunction("kernel"), arguments, active, error);
    Machine machine;
    machine.lanes = kLanes;
    machine.active = active;
    machine.arguments = arguments;
    machine.claimed_uniform = [&](const Value &value) { return uniformity.isUniform(&value); };
    const auto got = machine.run(linear);
    if (error.empty())
      error = machine.error.empty() ? compare(want, got) : machine.error;
    if (!error.empty())
      return error + " (" + std::to_string(active) + " lanes)";
  }
  return {};
}

int main(int argc, char **argv) {
  uint64_t first = 0, count = 100;
  if (argc > 1)
    std::from_chars(argv[1], argv[1] + strlen(argv[1]), first);
  if (argc > 2)
    std::from_chars(argv[2], argv[2] + strlen(argv[2]), count);
  unsigned failures = 0, branches = 0;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    LLVMContext context;
    const auto module = randomKernel(context, seed);
    std::unique_ptr<Module> original;
    const std::string error =
        verifyModule(*module, &errs()) ? "the generator is wrong" : runSeed(seed, original, *module, branches);
    if (error.empty())
      continue;
    errs() << "seed " << seed << ": " << error << '\n';
    if (++failures == 1 && count == 1 && original)
      errs() << "--- original\n" << *original << "--- linearized\n" << *module;
  }
  outs() << count << " kernels from seed " << first << ", " << branches << " uniform branches left, " << failures
         << " failures\n";
  return failures == 0 && branches > 0 ? 0 : 1;
}
