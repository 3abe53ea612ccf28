// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Marker calls that keep the statements and source variables of a kernel built with -g apart, from the scalar program
// to machine code. debug/ creates and lowers them.
//
//   void @lanecl.statement(i32 %n)                   a statement starts, on the line of the call's location
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

// Creates a call that marks the start of a statement. The call reads all memory, so that LLVM completes the assignments
// of earlier statements before it. If `writes`, the call also writes all memory, so that LLVM reloads the variables
// that a debugger may have assigned.
llvm::CallInst *createStatement(llvm::IRBuilderBase &builder, unsigned number, bool writes);
// Creates the marker of a lanes function that replaces `statement`; its debug frame is at `frame`.
llvm::CallInst *createLanesStatement(llvm::IRBuilderBase &builder, llvm::Value *frame, const llvm::CallBase &statement);
// Creates a call that says where a source variable lies. `description` is kept as metadata of the call.
llvm::CallInst *createVariable(llvm::IRBuilderBase &builder, llvm::Value *address, llvm::MDNode *description);
llvm::CallInst *createLanesVariable(llvm::IRBuilderBase &builder, llvm::Value *frame, llvm::MDNode *description);
// Creates the call that marks the end of the prologue, where the frame's header has been written.
llvm::CallInst *createBegin(llvm::IRBuilderBase &builder, llvm::Value *frame);
// Returns the description that createVariable() or createLanesVariable() attached.
llvm::MDNode *variableDescription(const llvm::Instruction &marker);

} // namespace lanecl::vectorizer
