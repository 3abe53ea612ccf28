// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Runs lanes functions that are written as IR text: compiles them with the passes after widening, generates code and
// calls it. The functions may be used on any thread. They report errors as std::runtime_error, because Catch's macros
// may be used on one thread only.
#pragma once

#include "codegen/jit.h"
#include "codegen/target_machine.h"
#include "pass_support/pass_context.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

#include <memory>
#include <string>
#include <vector>

namespace lanecl::vectorizer::test {

// Returns the text of a lanes function. The body may use the parameters %launch, %worker, %local_size, %gx, %gy, %gz,
// %sg, %active and %scratch, and may call the primitives that build() declares.
std::string lanesFunction(const std::string &name, const std::string &body);

// Compiled code, with what the compiler says about it.
struct Built {
  std::unique_ptr<LoadedCode> code;
  KernelFacts facts;
  uint64_t spill_bytes = 0, stack_bytes = 0;
  std::string assembly;

  abi::WorkGroupFunction entry() const { return reinterpret_cast<abi::WorkGroupFunction>(code->address()); }
};

// The passes that the pipeline runs after widening, with a few of LLVM's between them.
inline constexpr llvm::StringRef kPassesBehindWiden[] = {"lower-queries", "clean-up",   "private-memory",
                                                         "barriers",      "work-group", "vector-optimize"};

// Compiles the kernel "k" of the module. Throws std::runtime_error.
Built build(const std::string &ir, const LaunchClass &launch, const CodeTarget &target = {},
            llvm::ArrayRef<llvm::StringRef> passes = kPassesBehindWiden);

// Runs work-groups 0 to groups - 1 of a one-dimensional range. The memory that the code asks for lies between guards.
// Throws std::runtime_error when a guard has been overwritten.
void run(const Built &built, uint32_t local_size, uint64_t groups, const std::vector<void *> &arguments,
         uint64_t local_bytes);

} // namespace lanecl::vectorizer::test
