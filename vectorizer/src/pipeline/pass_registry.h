// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Names, parses and runs passes. A step is one of ours (passes.def) or anything LLVM's pass builder can parse, so that
// "canonicalize,linearize,function(instcombine)" is a pipeline.
#pragma once

#include "pass_support/pass_context.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <atomic>
#include <memory>
#include <string>
#include <vector>

namespace llvm {
class Module;
} // namespace llvm

namespace lanecl::vectorizer {

// When LLVM looks whether the IR is valid.
enum class Verify { Never, AfterLastStep, AfterEachStep };

struct RunOptions {
  std::string dump_directory; // when not empty, the IR after every step goes there: 003-linearize.ll
  Verify verify = Verify::AfterEachStep;
  std::string *running = nullptr;                // gets the name of each step before it runs; may be null
  std::atomic<uint64_t> *instructions = nullptr; // gets how many there are when calls are inlined; may be null
  uint64_t *optimized_instructions = nullptr;    // gets how many there are at "kernel-size"; may be null
};

// The names of our passes, in the list's order.
std::vector<llvm::StringRef> passNames();

// "a,b<x,y>,c(d,e)" -> "a", "b<x,y>", "c(d,e)".
llvm::SmallVector<llvm::StringRef> splitPipeline(llvm::StringRef pipeline);

// For tests, in the whole process: the compiler fails inside when it comes to this step, whose name must live on. With
// null it fails in none.
void failInStep(const char *step);

// Runs steps over modules with one set of analyses, in which the target is the lanes (analysis/lane_target.h).
class PassRunner {
public:
  PassRunner(PassContext &context, RunOptions options);
  ~PassRunner();

  // Runs the pipeline up to the first step that reports an error. False: the context's diagnostics say why, or the
  // process is exiting.
  bool run(llvm::Module &module, llvm::StringRef pipeline);

  // Seconds of each step run so far.
  struct Timing {
    std::string step;
    double seconds;
  };
  const std::vector<Timing> &timings() const { return times; }

private:
  bool runStep(llvm::Module &module, llvm::StringRef step);
  void dump(const llvm::Module &module, llvm::StringRef step);
  bool verify(llvm::Module &module, const llvm::Twine &when);

  struct Managers;
  PassContext &context;
  RunOptions options;
  std::unique_ptr<Managers> managers;
  std::vector<Timing> times;
  unsigned dumped = 0;
};

} // namespace lanecl::vectorizer
