// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Names and runs passes. A step is one of our passes (passes.def) or anything that LLVM's pass builder can parse, such
// as "function(instcombine,simplifycfg)".
#pragma once

#include "pass_support/pass_context.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <atomic>
#include <memory>
#include <string>
#include <vector>

namespace llvm {
class Module;
} // namespace llvm

namespace lanecl::vectorizer {

// When the IR is verified by LLVM's verifier.
enum class Verify { Never, AfterLastStep, AfterEachStep };

struct RunOptions {
  std::string dump_directory; // gets the IR after every step, as 003-linearize.ll; empty: no dumps
  Verify verify = Verify::AfterEachStep;
  std::string *running = nullptr;                // gets the name of each step before it runs; may be null
  std::atomic<uint64_t> *instructions = nullptr; // gets the number of instructions after "inline-calls"; may be null
  uint64_t *optimized_instructions = nullptr;    // gets the number of instructions at "kernel-size"; may be null
};

// Returns the names of our passes, in the order of passes.def.
std::vector<llvm::StringRef> passNames();

// For tests: makes the compiler fail with a fatal error when it comes to this step, in the whole process. The string
// must stay valid. Null ends that.
void failInStep(const char *step);

// Runs steps over modules with one set of analyses. The analyses see the lanes as their target
// (analysis/lane_target.h), so that branches may be divergent.
class PassRunner {
public:
  PassRunner(PassContext &context, RunOptions options);
  ~PassRunner();

  // Runs the steps up to the first one that fails. Returns false if a step reported an error, which the context's
  // diagnostics describe, if a pass gave up (PassContext::abandoned), or if the process is exiting.
  bool run(llvm::Module &module, llvm::ArrayRef<llvm::StringRef> steps);

  // The time that one step took.
  struct Timing {
    std::string step;
    double seconds;
  };
  // Returns the times of all steps run so far.
  const std::vector<Timing> &timings() const { return times; }

private:
  bool runStep(llvm::Module &module, llvm::StringRef name);
  void nameRunning(llvm::StringRef pass_class);
  void dump(const llvm::Module &module, llvm::StringRef step);
  bool verify(llvm::Module &module, const llvm::Twine &when);

  struct Managers;
  PassContext &context;
  RunOptions options;
  std::unique_ptr<Managers> managers; // made by the first run
  llvm::StringRef step;               // the one that runs
  std::vector<Timing> times;
  unsigned dumped = 0;
};

} // namespace lanecl::vectorizer
