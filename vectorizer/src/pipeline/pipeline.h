// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Compiles one kernel from bitcode to optimized IR of its work-group function.
#pragma once

#include "pass_support/pass_context.h"

#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBufferRef.h"

#include <atomic>
#include <memory>
#include <string>

namespace lanecl::vectorizer {

class BuiltinLibrary;

enum class Steps {
  All,
  Checks, // the first ones, which find the errors in a program
};

struct PipelineRequest {
  llvm::MemoryBufferRef program; // bitcode
  BuiltinLibrary *builtins = nullptr;
  std::string dump_directory; // empty: no dumps
  bool time_passes = false;   // to the standard error stream
  Steps steps = Steps::All;
  std::string *running = nullptr;                // gets the name of each pass before it runs; may be null
  std::atomic<uint64_t> *instructions = nullptr; // gets how many there are when calls are inlined; may be null
  uint64_t *optimized_instructions = nullptr;    // gets how many there are at "kernel-size"; may be null
};

// The steps for passes by name, as `lanecl-opt` would take them.
std::string pipelineSteps(const PassContext &context, Steps which = Steps::All);

// Null on failure: the context's diagnostics say why.
std::unique_ptr<llvm::Module> runPipeline(llvm::LLVMContext &llvm, PassContext &context,
                                          const PipelineRequest &request);

} // namespace lanecl::vectorizer
