// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Compiles one kernel from bitcode to optimized IR of its work-group function.
#pragma once

#include "pass_support/pass_context.h"
#include "pipeline/recipe.h"

#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBufferRef.h"

#include <atomic>
#include <memory>
#include <string>

namespace lanecl::vectorizer {

class BuiltinLibrary;

struct PipelineRequest {
  llvm::MemoryBufferRef program; // bitcode
  BuiltinLibrary *builtins = nullptr;
  std::string dump_directory; // a folder for the IR after each pass; empty: no dumps
  bool time_passes = false;   // prints the times of all passes to the standard error stream
  Steps steps = Steps::All;
  std::string *running = nullptr;                // gets the name of each pass before it runs; may be null
  std::atomic<uint64_t> *instructions = nullptr; // gets the number of instructions after inlining; may be null
  uint64_t *optimized_instructions = nullptr;    // gets the number of instructions at "kernel-size"; may be null
};

// Imports the kernel and runs the steps. Returns null on failure: the context's diagnostics say why, unless a pass gave
// up (PassContext::abandoned) or the process is exiting.
std::unique_ptr<llvm::Module> runPipeline(llvm::LLVMContext &llvm, PassContext &context,
                                          const PipelineRequest &request);

} // namespace lanecl::vectorizer
