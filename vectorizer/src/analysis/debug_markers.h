// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Calls that keep statements and source variables of a kernel built with -g apart, from the scalar program to machine
// code. See debug/.
//
//   void @lanecl.statement(i32 %n)                   a statement begins, on the line of the call's location
//   void @lanecl.variable(ptr %v)                    the source variable in !lanecl.variable lies at %v
//   void @lanecl.statement.lanes(ptr %frame, i32 %n) the same in a lanes function, whose debug frame is at %frame
//   void @lanecl.variable.lanes(ptr %frame)          the same; !lanecl.variable holds its description
//   void @lanecl.begin(ptr %frame)                   the frame's header is written; the kernel's own code begins
//
// %n is different for each statement of a function, so that no two calls are merged.
#pragma once

#include "llvm/IR/IRBuilder.h"

namespace lanecl::vectorizer {

enum class DebugMarker { Statement, Variable, LanesStatement, LanesVariable, Begin };

bool isDebugMarker(const llvm::Value &value, DebugMarker marker);

// A statement reads all memory, so that assignments before it are complete. With `writes` it also writes all memory, so
// that what a debugger assigns takes effect.
llvm::CallInst *createStatement(llvm::IRBuilderBase &builder, unsigned number, bool writes);
llvm::CallInst *createLanesStatement(llvm::IRBuilderBase &builder, llvm::Value *frame, const llvm::CallBase &statement);
llvm::CallInst *createVariable(llvm::IRBuilderBase &builder, llvm::Value *address, llvm::MDNode *description);
llvm::CallInst *createLanesVariable(llvm::IRBuilderBase &builder, llvm::Value *frame, llvm::MDNode *description);
llvm::CallInst *createBegin(llvm::IRBuilderBase &builder, llvm::Value *frame);
llvm::MDNode *variableDescription(const llvm::Instruction &marker);

} // namespace lanecl::vectorizer
