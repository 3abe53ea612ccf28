// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Runs lanes functions written as IR text: through the passes behind widening, code generation and the JIT. May be used
// on any thread: what goes wrong is thrown as std::runtime_error, since Catch's own macros are for one thread only.
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

// The head of a lanes function, and declarations of the primitives used in the texts.
std::string lanesFunction(const std::string &name, const std::string &body);

struct Built {
  std::unique_ptr<LoadedCode> code;
  KernelFacts facts;
  uint64_t spill_bytes = 0, stack_bytes = 0;
  std::string assembly;

  abi::WorkGroupFunction entry() const { return reinterpret_cast<abi::WorkGroupFunction>(code->address()); }
};

inline constexpr const char *kPassesBehindWiden = "lower-queries,function(early-cse,instcombine<no-verify-fixpoint>,"
                                                  "simplifycfg),private-memory,barriers,work-group,vector-optimize";

// The kernel is called "k".
Built build(const std::string &ir, const LaunchClass &launch, const CodeTarget &target = {},
            const std::string &passes = kPassesBehindWiden);

// The work-groups 0 <= x < groups of a one-dimensional range, with as much memory as was asked for between guards,
// which must survive.
void run(const Built &built, uint32_t local_size, uint64_t groups, const std::vector<void *> &arguments,
         uint64_t local_bytes);

} // namespace lanecl::vectorizer::test
