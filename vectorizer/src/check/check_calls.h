// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The calls that checking passes insert into the scalar kernel. Lanes make them one by one, but those that only compute
// are made once where their operands are uniform.
#pragma once

#include "vectorizer/contract/check_site.h"

#include "llvm/IR/IRBuilder.h"

namespace lanecl::vectorizer {

inline constexpr llvm::StringLiteral kCheckBegin = "lanecl.check.begin";
inline constexpr llvm::StringLiteral kCheckEnd = "lanecl.check.end";
inline constexpr llvm::StringLiteral kCheckFound = "lanecl.check.found";

// Calls of primitives.
llvm::Value *createLaneId(llvm::IRBuilderBase &b);
llvm::Value *createActiveMask(llvm::IRBuilderBase &b);                     // i64
llvm::Value *createSubGroupSize(llvm::IRBuilderBase &b);                   // i32: lanes that exist
llvm::Value *createWidth(llvm::IRBuilderBase &b);                          // i32
llvm::Value *createFirstLanes(llvm::IRBuilderBase &b, llvm::Value *value); // of the first active lane; i32 or i64

// The memory around a pointer, see CheckRuntime.
llvm::Value *createMemoryBegin(llvm::IRBuilderBase &b, llvm::Value *pointer); // i64
llvm::Value *createMemoryEnd(llvm::IRBuilderBase &b, llvm::Value *pointer);

// Reports, where `broken` holds, what breaks a rule at the instruction, in a block of its own before it. The function
// names whose rule it is. Both values are i64.
void reportIf(llvm::Value *broken, llvm::Instruction &at, abi::CheckRule rule, llvm::StringRef function,
              llvm::Value *value, llvm::Value *other);

// The reports so far get their sites: the place of the call with those that it was inlined from. After inlining.
bool placeReports(llvm::Function &function);

} // namespace lanecl::vectorizer
